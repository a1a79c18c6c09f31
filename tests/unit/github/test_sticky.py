from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from countci.github.sticky import Comment, Wanted, claimed, decide
from countci.reporting.github import attempt_of, mark

AUTHOR = "github-actions[bot]"
WANTED = Wanted(
    body="new",
    attempt=(9001, 2),
    speaks=True,
    mark=mark("countci"),
    attempt_of=lambda body: attempt_of(body, "countci"),
    author=AUTHOR,
)


def there(attempt: str = "9001.1", **changed: Any) -> Comment:  # noqa: ANN401
    known = {"body": f"{mark('countci', attempt)}\nold", "login": AUTHOR, "kind": "Bot"}
    return Comment(id=5, **{**known, **changed})


def test_our_comment_is_known_by_mark_and_author() -> None:
    assert WANTED.owns(there())
    assert WANTED.owns(there(body=f"{mark('countci')}edited by hand -->"))


@pytest.mark.parametrize(
    "changed",
    [
        {"login": "mona"},
        {"login": "github-actions"},
        {"login": AUTHOR, "kind": "User"},
        {"login": ""},
        {"body": f"> {mark('countci', '1.1')}"},
        {"body": f"see below\n{mark('countci', '1.1')}"},
        {"body": mark("countci-2", "1.1")},
        {"body": ""},
    ],
)
def test_a_comment_of_anybody_else_is_not_ours(changed: dict[str, str]) -> None:
    assert not WANTED.owns(there(**changed))


def test_another_app_or_a_person_may_be_the_author() -> None:
    assert replace(WANTED, author="perf[bot]").owns(there(login="perf[bot]"))
    assert replace(WANTED, author="ada").owns(there(login="ada", kind="User"))


@pytest.mark.parametrize("speaks", [True, False])
@pytest.mark.parametrize(
    ("attempt", "what"),
    [
        ("9000.9", "edit"),
        ("9001.1", "edit"),
        ("9001.2", "edit"),  # this very run, whose comment job runs again
        ("9001.3", "newer"),
        ("9002.1", "newer"),
        ("10000.1", "newer"),
    ],
)
def test_a_comment_is_edited_by_the_newer_run_also_when_all_is_well_again(
    attempt: str, what: str, *, speaks: bool
) -> None:
    assert decide(replace(WANTED, speaks=speaks), there(attempt)) == what


def test_a_comment_of_no_known_run_is_edited() -> None:
    assert decide(WANTED, there(body=f"{mark('countci')}?")) == "edit"


def test_one_is_created_only_where_there_is_something_to_say() -> None:
    assert decide(WANTED, None) == "create"
    assert decide(replace(WANTED, speaks=False), None) == "leave"


def test_what_a_fork_says_is_called_its_claim() -> None:
    assert claimed("body\n", fork=False) == "body\n"
    assert claimed("body\n", fork=True).startswith("body\n\nA fork controls")
