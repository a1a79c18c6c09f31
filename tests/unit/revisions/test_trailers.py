from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci.errors import UsageError
from countci.model import Acceptance, Revision
from countci.revisions import Repository, misplaced, resolve, snapshot, trailers
from countci.revisions.trailers import parse
from tests.unit.revisions.conftest import Git

COMMIT = "0b5fa1d0" * 5
FIELD = "Countci-Accept: bank/field instructions +2.5% because the index is rebuilt"
words = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=8)


def between(repository: Repository, base: str, head: str) -> tuple[Acceptance, ...]:
    return trailers(repository, resolve(repository, base), resolve(repository, head))


def test_a_trailer_accepts_one_metric_of_one_query_up_to_a_value(git: Git, project: Path) -> None:
    sha = git.commit(project, f"Rebuild\n\nWhy.\n\n{FIELD}\nSigned-off-by: Ada <a@example.org>")

    assert between(git.open(project), "HEAD~1", "HEAD") == (
        Acceptance(
            commit=sha,
            query="bank/field",
            metric="instructions",
            share=0.025,
            reason="the index is rebuilt",
            line="bank/field instructions +2.5% because the index is rebuilt",
        ),
    )


def test_a_folded_trailer_in_other_letters_is_read_as_git_reads_it(git: Git, project: Path) -> None:
    git.commit(project, "Go\n\ncountci-accept : bank/old  GONE\n  because it was\n  renamed\n")

    [found] = between(git.open(project), "HEAD~1", "HEAD")

    assert (found.query, found.metric, found.reason) == ("bank/old", None, "it was renamed")


def test_nothing_of_the_base_or_older_counts(git: Git, project: Path) -> None:
    git.commit(project, f"Older\n\n{FIELD}")
    git.commit(project, f"Base\n\n{FIELD}")
    git.commit(project, "Head")

    assert between(git.open(project), "HEAD~1", "HEAD") == ()


def test_merged_commits_count_and_the_base_side_does_not(git: Git, project: Path) -> None:
    git(project, "checkout", "--quiet", "-b", "topic", "HEAD~1")
    git.commit(project, "Topic\n\nCountci-Accept: a/topic gone because of it")
    git(project, "checkout", "--quiet", "main")
    git.commit(project, "Main\n\nCountci-Accept: a/main gone because of it")
    git(project, "tag", "before")
    merge = "Merge\n\nCountci-Accept: a/merge gone because of it"
    git(project, "merge", "--quiet", "--no-ff", "-m", merge, "topic")

    found = between(git.open(project), "before", "HEAD")

    assert [each.query for each in found] == ["a/topic", "a/merge"]


def test_the_newest_commit_and_the_last_line_of_it_come_last(git: Git, project: Path) -> None:
    git.commit(project, f"One\n\n{FIELD}\n{FIELD.replace('2.5', '3')}")
    # An older date than its parent's: only the order of commits counts.
    older = {"GIT_COMMITTER_DATE": "@1600000000 +0000"}
    message = f"Two\n\n{FIELD.replace('2.5', '1')}"
    git(project, "commit", "--quiet", "--allow-empty", "-m", message, more=older)

    found = between(git.open(project), "v1", "HEAD")

    assert [each.share for each in found] == [0.025, 0.03, 0.01]


def test_uncommitted_work_has_the_trailers_of_the_commits_below_it(
    git: Git, project: Path, tmp_path: Path
) -> None:
    git.commit(project, f"Topic\n\n{FIELD}")
    (project / "a.txt").write_text("not committed\n")
    objects = tmp_path / "objects"
    repository = git.open(project, objects)
    head = snapshot(repository, objects)

    assert len(trailers(repository, resolve(repository, "HEAD~1"), head)) == 1
    assert trailers(repository, resolve(repository, "HEAD"), head) == ()


def test_settings_of_the_user_change_nothing(git: Git, project: Path) -> None:
    git.commit(project, f"Grün\n\n{FIELD}")
    settings = {
        "trailer.separators": "=", "log.showSignature": "true", "color.ui": "always",
        "i18n.logOutputEncoding": "UTF-16", "grep.patternType": "perl", "log.decorate": "full",
    }  # fmt: skip
    for name, value in settings.items():
        git(project, "config", name, value)

    assert [each.query for each in between(git.open(project), "v1", "HEAD")] == ["bank/field"]


def test_a_line_where_git_reads_no_trailer_accepts_nothing_and_is_named(
    git: Git, project: Path
) -> None:
    squashed = git.commit(project, f"Squashed (#1)\n\n* One\n\n{FIELD}\n\n* Two\n\nThe end.")
    git.commit(project, f"Fine\n\n{FIELD}")
    git.commit(project, "Document it\n\nWe now have Countci-Accept: lines.")
    repository = git.open(project)
    base, head = resolve(repository, "v1"), resolve(repository, "HEAD")

    [reason] = misplaced(repository, base, head)

    assert len(trailers(repository, base, head)) == 1
    assert squashed[:10] in reason.text
    assert "last paragraph" in reason.text


def test_a_trailer_that_says_nothing_is_an_error(git: Git, project: Path) -> None:
    git.commit(project, "Empty\n\nCountci-Accept:\nSigned-off-by: Ada <a@example.org>")

    with pytest.raises(UsageError, match="without a reason"):
        between(git.open(project), "HEAD~1", "HEAD")


def test_a_range_that_git_does_not_know_is_an_error(git: Git, project: Path) -> None:
    nowhere = Revision(name="nowhere", sha="1" * 40, tree="2" * 40, subject="", when=0)
    repository = git.open(project)

    with pytest.raises(UsageError, match="can't list the commits"):
        trailers(repository, nowhere, resolve(repository, "HEAD"))


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("bank/field instructions +2.5%", "it has no because"),
        ("bank/field instructions +2.5% because", "nothing follows because"),
        ("bank/field instructions +2.5% because ...", "nothing follows because"),
        ("bank/field instructions 2.5% because x", "no sign: 2.5%"),
        ("bank/field instructions +2.5 because x", "no %: +2.5"),
        ("bank/field instructions +2,5% because x", "no number: +2,5%"),
        ("bank/field instructions +1.2.3% because x", "no number: +1.2.3%"),
        ("bank/field2 because x", "without a value"),
        ("bank/field instructions because x", "without a value"),
        ("gone because x", "without a query"),
        ("because x", "without a query"),
        ("instructions +2.5% because x", "both a query and a metric"),
        ("", "it has no because"),
    ],
)
def test_what_is_wrong_with_a_trailer_is_said_with_commit_line_and_form(
    line: str, problem: str
) -> None:
    with pytest.raises(UsageError) as caught:
        parse(line, commit=COMMIT)

    assert problem in caught.value.problem
    assert caught.value.where == "commit 0b5fa1d00b"
    assert caught.value.detail.startswith(f"Countci-Accept: {line}\nwrite it as")


@pytest.mark.parametrize(
    ("value", "share"),
    [("+2.5%", 0.025), ("+ 2.5 %", 0.025), ("−1.10\N{NO-BREAK SPACE}%", -0.011), ("-.5%", -0.005)],
)
def test_a_value_may_be_copied_from_a_report(value: str, share: float) -> None:
    assert parse(f"a/b time {value} because x", commit=COMMIT).share == pytest.approx(share)


def test_the_id_of_a_query_that_another_tool_named_may_hold_spaces() -> None:
    found = parse("tests/test_a.py::test[x gone y] instructions +1% because z", commit=COMMIT)

    assert found.query == "tests/test_a.py::test[x gone y]"


@given(
    query=st.lists(words, min_size=2, max_size=3).map("/".join),
    metric=st.none() | st.sampled_from(["instructions", "time"]),
    hundredths=st.integers(-99_999, 99_999),
    reason=st.lists(words, min_size=1, max_size=5).map(" ".join),
    space=st.sampled_from([" ", "  ", "\t", "\N{NO-BREAK SPACE}"]),
)
def test_what_is_written_by_the_form_is_read_back(
    query: str, metric: str | None, hundredths: int, reason: str, space: str
) -> None:
    what = "gone" if metric is None else f"{metric} {hundredths / 100:+.2f}%"
    line = f"{query} {what} because {reason}".replace(" ", space)

    found = parse(line, commit=COMMIT)

    assert (found.query, found.metric, found.reason) == (query, metric, reason)
    assert found.share == pytest.approx(0 if metric is None else hundredths / 10_000)


@given(
    st.text()
    | st.lists(
        st.sampled_from(
            ["bank/field", "time", "gone", "+2.5%", "+", "%", "9.", "because", "x", "−"]
        )
    ).map(" ".join)
)
def test_any_line_is_read_or_refused(line: str) -> None:
    try:
        found = parse(line, commit=COMMIT)
    except UsageError as error:
        assert error.problem  # noqa: PT017 - either is right
        return
    assert found.query
    assert found.reason
    assert found.line == " ".join(line.split())
