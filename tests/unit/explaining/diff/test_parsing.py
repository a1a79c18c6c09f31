from __future__ import annotations

from countci.explaining.diff import parse

TWO_FILES = """\
diff --git a/src/a.c b/src/a.c
index 0cfbf08..3b18e51 100644
--- a/src/a.c
+++ b/src/a.c
@@ -3 +3,2 @@ int f(void) {
-    old
+    new
+    newer
@@ -10,2 +11,0 @@
-gone
-gone too
\\ No newline at end of file
diff --git a/b.h b/b.h
--- a/b.h
+++ b/b.h
@@ -7,0 +8 @@ struct s {
+    int more;
"""


def test_each_hunk_has_its_file_lines_and_text() -> None:
    first, second, third = parse(TWO_FILES).edits

    assert (first.old, first.new, first.old_first, first.new_first) == ("src/a.c", "src/a.c", 3, 3)
    assert (first.minus, first.plus) == (("    old",), ("    new", "    newer"))
    assert (second.old_first, second.old_last, second.minus) == (10, 11, ("gone", "gone too"))
    assert (second.new_first, second.plus) == (11, ())
    assert (third.new, third.old_first, third.old_last, third.new_first) == ("b.h", 7, 7, 8)
    assert [edit.id for edit in (first, second, third)] == [0, 1, 2]


def test_a_rename_is_kept_with_and_without_hunks() -> None:
    text = """\
diff --git a/x.c b/y.c
similarity index 100%
rename from x.c
rename to y.c
diff --git a/p.c b/q.c
similarity index 90%
rename from p.c
rename to q.c
--- a/p.c
+++ b/q.c
@@ -1 +1 @@
-a
+b
"""
    found = parse(text)

    assert found.renames == {"x.c": "y.c", "p.c": "q.c"}
    assert [(edit.old, edit.new) for edit in found.edits] == [("p.c", "q.c")]
    assert found.files == {"p.c", "q.c"}


def test_new_and_deleted_files_have_one_path_on_both_sides() -> None:
    text = """\
diff --git a/new.c b/new.c
new file mode 100644
--- /dev/null
+++ b/new.c
@@ -0,0 +1 @@
+int x;
diff --git a/gone.c b/gone.c
deleted file mode 100644
--- a/gone.c
+++ /dev/null
@@ -1 +0,0 @@
-int y;
"""
    assert [(e.old, e.new) for e in parse(text).edits] == [("new.c", "new.c"), ("gone.c", "gone.c")]


def test_lines_that_look_like_headers_are_text_inside_a_hunk() -> None:
    text = """\
diff --git a/q.sql b/q.sql
--- a/q.sql
+++ b/q.sql
@@ -1,2 +1,2 @@
--- a/comment
-@@ -1 +1 @@
+++ b/comment
+diff --git a/x b/x
"""
    [edit] = parse(text).edits

    assert edit.minus == ("-- a/comment", "@@ -1 +1 @@")
    assert edit.plus == ("++ b/comment", "diff --git a/x b/x")


def test_paths_are_read_as_git_quotes_them() -> None:
    text = (
        'diff --git "a/\\303\\244 \\"b\\".c" "b/\\303\\244 \\"b\\".c"\n'
        '--- "a/\\303\\244 \\"b\\".c"\n'
        '+++ "b/\\303\\244 \\"b\\".c"\n'
        "@@ -1 +1 @@\n-a\n+b\n"
        "diff --git a/with space.c b/with space.c\n"
        "--- a/with space.c\t\n+++ b/with space.c\t\n@@ -1 +1 @@\n-a\n+b\n"
    )
    assert [edit.new for edit in parse(text).edits] == ['ä "b".c', "with space.c"]


def test_binary_files_and_modes_are_no_hunks() -> None:
    text = """\
diff --git a/a.png b/a.png
index 1..2
Binary files a/a.png and b/a.png differ
diff --git a/run b/run
old mode 100644
new mode 100755
"""
    assert parse(text).edits == ()


def test_no_diff_is_no_edit() -> None:
    assert parse("").edits == ()


def test_a_diff_that_ends_early_keeps_what_it_has() -> None:
    [edit] = parse(TWO_FILES[: TWO_FILES.index("+    newer")]).edits

    assert edit.plus == ("    new",)
