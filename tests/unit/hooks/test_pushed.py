from __future__ import annotations

import pytest

from countci.errors import UsageError
from countci.hooks import Push, pushed

A, B, NOTHING = "a" * 40, "b" * 40, "0" * 40


def test_a_branch_is_held_against_what_the_remote_has() -> None:
    assert pushed(f"refs/heads/mine {B} refs/heads/theirs/1 {A}\n") == (
        Push(branch="theirs/1", old=A, new=B),
    )


def test_a_new_branch_has_nothing_at_the_remote() -> None:
    assert pushed(f"HEAD~1 {B} refs/heads/new {NOTHING}\n") == (
        Push(branch="new", old=None, new=B),
    )


def test_deleted_branches_and_tags_are_no_branches_to_measure() -> None:
    lines = [
        f"(delete) {NOTHING} refs/heads/gone {A}",
        f"refs/tags/v1 {B} refs/tags/v1 {NOTHING}",
        f"refs/notes/x {B} refs/notes/x {A}",
    ]

    assert pushed("\n".join(lines) + "\n") == ()


def test_a_revision_with_spaces_is_read_from_the_right() -> None:
    assert pushed(f":/Fix a bug {B} refs/heads/main {A}\n") == (Push(branch="main", old=A, new=B),)


def test_nothing_is_pushed_when_git_says_nothing() -> None:
    assert pushed("") == ()


@pytest.mark.parametrize("text", ["hello\n", f"refs/heads/a {B[1:]} refs/heads/a {A}\n"])
def test_what_git_would_not_say_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="not what git gives"):
        pushed(text)
