from __future__ import annotations

import json
from typing import Any

import pytest

from countci.errors import MeasureError, UsageError
from countci.github.occasion import Occasion, Skip, occasion
from countci.github.pulls import Pull, named, of_run
from tests.events import event

RUN = Occasion(
    owner="ada",
    branch="faster",
    sha="a" * 40,
    source=4200,
    number=None,
    run=9001,
    attempt=2,
    fork=True,
)


def completed(name: str = "workflow_run.fork", **changed: Any) -> Occasion | Skip:  # noqa: ANN401
    payload = json.loads(event(name))
    payload["workflow_run"] |= changed
    return occasion("workflow_run", json.dumps(payload).encode(), run="1", attempt="1")


def pull(number: int = 7, **changed: Any) -> Pull:  # noqa: ANN401
    known: dict[str, Any] = {"sha": "a" * 40, "branch": "faster", "source": 4200, "base": "main"}
    return Pull(number=number, **{**known, **changed})


def test_a_run_of_a_fork_is_known_by_repository_branch_and_commit() -> None:
    assert completed() == RUN


def test_a_run_of_the_repository_itself_is_no_fork() -> None:
    found = completed("workflow_run")

    assert isinstance(found, Occasion)
    assert (found.owner, found.source, found.fork) == ("savings", 4100, False)


def test_what_the_event_lists_as_pull_requests_is_not_looked_at() -> None:
    assert completed(pull_requests=[{"number": 1}]) == RUN


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"event": "push"}, "of push"),
        ({"event": "pull_request_target"}, "of pull_request_target"),
        ({"conclusion": "cancelled"}, "ended as cancelled"),
        ({"conclusion": "skipped"}, "ended as skipped"),
        ({"conclusion": None}, "ended as None"),
        ({"head_repository": None}, "deleted"),
        ({"head_branch": None}, "deleted"),
    ],
)
def test_other_runs_are_not_commented_on(changed: dict[str, Any], why: str) -> None:
    found = completed(**changed)

    assert isinstance(found, Skip)
    assert why in found.why


def test_a_pull_request_of_the_repository_itself_is_named_by_its_event() -> None:
    found = occasion("pull_request", event("pull_request.opened"), run="9001", attempt="3")

    assert found == Occasion(
        owner="savings",
        branch="faster",
        sha="a" * 40,
        source=4100,
        number=7,
        run=9001,
        attempt=3,
        fork=False,
    )


@pytest.mark.parametrize("name", ["fork", "fork-deleted"])
def test_a_job_of_a_fork_doesnt_try_what_its_token_may_not(name: str) -> None:
    found = occasion("pull_request", event(f"pull_request.{name}"), run="9001", attempt="1")

    assert isinstance(found, Skip)
    assert "may only read" in found.why


@pytest.mark.parametrize("name", ["pull_request_target", "push", "issue_comment", ""])
def test_other_events_are_slips_of_who_wrote_the_workflow(name: str) -> None:
    with pytest.raises(UsageError, match="workflow_run, or pull_request"):
        occasion(name, event("push"), run="1", attempt="1")


@pytest.mark.parametrize("payload", [b"", b"{}", b"[]", b'{"workflow_run": 1}'])
def test_a_payload_of_another_form_is_no_crash(payload: bytes) -> None:
    with pytest.raises(MeasureError, match="can't be read"):
        occasion("workflow_run", payload, run="1", attempt="1")


@pytest.mark.parametrize("sha", ["", "A" * 40, "a" * 39, "a" * 40 + "\n"])
def test_a_commit_is_forty_digits(sha: str) -> None:
    with pytest.raises(MeasureError):
        completed(head_sha=sha)


def test_the_pull_request_is_the_one_still_at_the_commit_that_was_measured() -> None:
    others = [
        pull(8, sha="b" * 40),  # pushed to since
        pull(9, branch="slower"),
        pull(10, source=4300),  # another fork, which has the commit too
        pull(11, source=None),
    ]

    assert of_run([*others, pull()], RUN) == (pull(),)


def test_a_number_that_the_event_names_is_held_against_it() -> None:
    from dataclasses import replace

    assert of_run([pull(7), pull(8)], replace(RUN, number=8)) == (pull(8),)


def test_of_one_commit_for_several_branches_those_are_meant_that_the_report_names() -> None:
    both = (pull(7), pull(70, base="stable"))
    said = ["pull request 70 at aaaa, merged into bbbb of stable", "pull request 7"]

    assert named(both, said[:1]) == (both[1],)
    assert named(both, ["something else"]) == ()


def test_a_report_cant_name_another_pull_request_than_githubs() -> None:
    assert named([pull(7)], ["pull request 1 at aaaa, merged into bbbb of main"]) == (pull(7),)
    assert named([], ["pull request 1 at aaaa"]) == ()
