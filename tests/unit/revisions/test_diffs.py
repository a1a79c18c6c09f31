from __future__ import annotations

from pathlib import Path

import pytest

from countci.errors import UsageError
from countci.model import Revision
from countci.revisions import diff, resolve
from tests.unit.revisions.conftest import Git

BODY = "".join(f"int value_{number} = {number};\n" for number in range(9))


def shown(git: Git, at: Path, *, indented: bool = False) -> str:
    repository = git.open(at)
    base, head = resolve(repository, "HEAD~1"), resolve(repository, "HEAD")
    return diff(repository, base, head, indented=indented)


def test_only_changed_lines_are_told_and_none_around_them(git: Git, project: Path) -> None:
    git.commit(project, "Table", {"table.c": BODY})
    git.commit(project, "Other", {"table.c": BODY.replace("4 = 4", "4 = 44")})

    lines = shown(git, project).splitlines()
    assert lines[-3:] == ["@@ -5 +5 @@ int value_3 = 3;", "-int value_4 = 4;", "+int value_4 = 44;"]


def test_a_moved_file_is_a_renamed_one(git: Git, project: Path) -> None:
    git.commit(project, "Table", {"table.c": BODY})
    git(project, "mv", "table.c", "tafel.c")
    git.commit(project, "Other", {"tafel.c": BODY.replace("4 = 4", "4 = 44")})

    text = shown(git, project)
    assert "rename from table.c\nrename to tafel.c" in text
    assert text.count("\n+int") == 1


def test_spaces_in_front_of_a_line_are_a_change_only_where_they_tell_something(
    git: Git, project: Path
) -> None:
    git.commit(project, "One", {"a.py": "if x:\n    y()\nz()\n"})
    git.commit(project, "Two", {"a.py": "if x:\n    y()\n    z()\n"})

    assert "z()" not in shown(git, project)
    assert "+    z()" in shown(git, project, indented=True)


def test_the_settings_of_the_user_change_nothing(git: Git, project: Path) -> None:
    git.commit(project, "Ümlaut", {"ü.c": "int a;\n"})
    git.commit(project, "Other", {"ü.c": "int b;\n"})
    plain = shown(git, project)
    for setting in (
        "diff.noprefix=true",
        "color.diff=always",
        "diff.external=false",
        "diff.context=9",
    ):
        git(project, "config", *setting.split("=", 1))

    assert shown(git, project) == plain
    assert "--- a/ü.c" in plain


def test_a_tree_that_is_not_there_is_an_error(git: Git, project: Path) -> None:
    repository = git.open(project)
    head = resolve(repository, "HEAD")
    absent = Revision(name="gone", sha="0" * 40, tree="1" * 40, subject="", when=0)

    with pytest.raises(UsageError, match="can't compare"):
        diff(repository, absent, head)
