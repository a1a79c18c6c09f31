"""Which two revisions each event of GitHub means."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci.errors import CountciError, MeasureError, UsageError
from countci.github import Named, SinceBranch, TestMerge, Two, choose
from tests.events import event

HEAD, BASE, GROUP, OLD, MERGE = "a" * 40, "b" * 40, "c" * 40, "d" * 40, "e" * 40


@pytest.mark.parametrize(
    "name", ["opened", "synchronize", "fork", "fork-deleted"], ids=lambda name: name
)
def test_a_pull_request_is_its_test_merge_wherever_it_comes_from(name: str) -> None:
    wish = choose("pull_request", event(f"pull_request.{name}"), MERGE)

    assert wish == TestMerge(number=7, sha=MERGE, head=HEAD, branch="main", commits=1)


def test_an_entry_of_the_merge_queue_is_held_against_the_one_before() -> None:
    assert choose("merge_group", event("merge_group"), GROUP) == Two(base=BASE, head=GROUP)


def test_a_push_is_held_against_what_was_there_before() -> None:
    assert choose("push", event("push"), HEAD) == Two(base=BASE, head=HEAD)


def test_a_forced_push_says_so() -> None:
    assert choose("push", event("push.forced"), HEAD) == Two(base=OLD, head=HEAD, forced=True)


def test_a_push_tells_how_many_commits_it_has() -> None:
    payload = json.loads(event("push"))
    payload["commits"] = [{"id": OLD}, {"id": HEAD}]

    assert choose("push", json.dumps(payload).encode(), HEAD) == Two(
        base=BASE, head=HEAD, commits=2
    )


def test_a_new_branch_is_held_against_where_it_left_the_default_branch() -> None:
    wish = choose("push", event("push.new-branch"), HEAD)

    assert wish == SinceBranch(head=HEAD, branch="main")


def test_the_very_first_push_has_nothing_to_compare() -> None:
    first = event("push.new-branch").replace(b"heads/topic", b"heads/main")

    with pytest.raises(UsageError, match="the first push to main"):
        choose("push", first, HEAD)


def test_a_deleted_branch_has_nothing_to_measure() -> None:
    with pytest.raises(UsageError, match="deleted"):
        choose("push", event("push.deleted"), HEAD)


@pytest.mark.parametrize("name", ["schedule", "workflow_dispatch"])
def test_an_event_without_commits_goes_by_the_inputs_alone(name: str) -> None:
    with pytest.raises(UsageError, match="names no base"):
        choose(name, event(name), HEAD)

    assert choose(name, event(name), HEAD, base="v1") == Named(base="v1", head=HEAD)


def test_inputs_go_before_what_the_event_says() -> None:
    named = choose("push", event("push"), HEAD, base="v1", head="v2")

    assert named == Named(base="v1", head="v2")


def test_a_head_alone_is_no_pair() -> None:
    with pytest.raises(UsageError, match="without a base"):
        choose("push", event("push"), HEAD, head="v2")


@pytest.mark.parametrize("name", ["pull_request_target", "workflow_run"])
def test_nothing_is_measured_beside_secrets_whatever_the_inputs_say(name: str) -> None:
    with pytest.raises(UsageError, match="secrets"):
        choose(name, event("pull_request.fork"), HEAD, base=BASE, head=HEAD)


def test_an_unknown_event_is_an_error_even_with_inputs() -> None:
    with pytest.raises(UsageError, match="issue_comment"):
        choose("issue_comment", b"{}", HEAD, base=BASE)


@pytest.mark.parametrize(("name", "file"), [("push", "push"), ("merge_group", "merge_group")])
def test_an_event_about_another_commit_than_the_run_is_an_error(name: str, file: str) -> None:
    with pytest.raises(MeasureError, match=re.escape(f"the run about {OLD[:12]}")):
        choose(name, event(file), OLD)


@given(st.sampled_from(["pull_request", "merge_group", "push"]), st.binary(max_size=60))
def test_a_payload_that_is_none_is_an_error_and_no_bug(name: str, payload: bytes) -> None:
    with pytest.raises(CountciError):
        choose(name, payload, HEAD)


@pytest.mark.parametrize("sha", ["", "a" * 39, "--upload-pack=touch pwned", "a" * 40 + "\n"])
def test_only_whole_commits_are_taken_from_a_payload(sha: str) -> None:
    payload = json.loads(event("push"))
    payload["before"] = sha

    with pytest.raises(MeasureError):
        choose("push", json.dumps(payload).encode(), HEAD)
