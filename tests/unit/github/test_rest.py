"""GitHub's comments by way of the stand-in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from countci.errors import MeasureError, UsageError
from countci.github.commenting import put
from countci.github.rest import Rest
from countci.network import Client, Clock, NetworkError, Uncertain
from countci.reporting.github import mark
from tests.github_api import (
    BAD_CREDENTIALS,
    BAD_GATEWAY,
    GONE,
    LOCKED,
    LOST,
    MADE_THEN_BAD_GATEWAY,
    MADE_THEN_LOST,
    MONA,
    NOT_FOUND,
    PRIMARY,
    PULL,
    READ_ONLY,
    SECONDARY,
    TOO_LONG,
    Canned,
    GitHub,
)
from tests.unit.github.test_sticky import WANTED

OLD = f"{mark('countci', '9000.1')}\nold"


@pytest.fixture
def api() -> Iterator[GitHub]:
    with GitHub() as server:
        yield server


def rest(api: GitHub) -> Rest:
    clock = Clock(now=lambda: 0.0, sleep=lambda _seconds: None)
    client = Client(api.url, {"Authorization": "Bearer hunter2"}, clock=clock)
    return Rest(client, api.url, "savings/bank")


def test_a_comment_is_created_then_edited_in_place(api: GitHub) -> None:
    assert put(rest(api), 7, WANTED) == "pull request 7: comment created"
    api.comments[1]["body"] = OLD

    assert put(rest(api), 7, WANTED) == "pull request 7: comment 1 edited"
    assert api.bodies == ["new"]


def test_a_newer_runs_comment_and_silence_are_left_alone(api: GitHub) -> None:
    assert "nothing to say" in put(rest(api), 7, replace(WANTED, speaks=False))
    api.add(f"{mark('countci', '9002.1')}\nnewer")

    assert "stays" in put(rest(api), 7, WANTED)
    assert api.bodies == [f"{mark('countci', '9002.1')}\nnewer"]


def test_what_somebody_copied_is_not_edited(api: GitHub) -> None:
    api.add(OLD, MONA)

    put(rest(api), 7, WANTED)

    assert [each["body"] for each in api.comments.values()] == [OLD, "new"]


def test_our_comment_is_found_behind_hundreds_of_others_page_by_page(api: GitHub) -> None:
    for number in range(250):
        api.add(f"talk {number}", MONA)
    api.add(OLD)

    assert put(rest(api), 7, WANTED) == "pull request 7: comment 251 edited"
    assert [line.partition("?")[2] for line in api.log if line.startswith("GET")] == [
        "per_page=100",
        "per_page=100&page=2",
        "per_page=100&page=3",
    ]
    assert "GET /repositories/4100/issues/7/comments?per_page=100&page=3" in api.log


def test_pages_behind_ours_are_not_asked_for(api: GitHub) -> None:
    api.add(OLD)
    for number in range(250):
        api.add(f"talk {number}", MONA)

    put(rest(api), 7, WANTED)

    assert [line.split()[0] for line in api.log] == ["GET", "PATCH"]


def test_pages_that_never_end_do(api: GitHub) -> None:
    link = {"link": f'<{api.url}/repos/savings/bank/issues/7/comments>; rel="next"'}
    api.script_once("GET", *[Canned(200, [], link)] * 101)

    with pytest.raises(MeasureError, match="more than 100 pages"):
        put(rest(api), 7, WANTED)


def test_a_next_page_of_another_server_is_not_asked_for(api: GitHub) -> None:
    api.script_once("GET", Canned(200, [], {"link": '<https://evil.example/>; rel="next"'}))

    with pytest.raises(NetworkError, match="another server"):
        put(rest(api), 7, WANTED)


@pytest.mark.parametrize("canned", [MADE_THEN_LOST, MADE_THEN_BAD_GATEWAY])
def test_a_comment_that_arrived_although_nobody_said_so_is_not_made_twice(
    api: GitHub, canned: Canned
) -> None:
    wanted = replace(WANTED, body=f"{mark('countci', '9001.2')}\nnew")
    api.script_once("POST", canned)

    assert put(rest(api), 7, wanted) == "pull request 7: comment created"
    assert api.bodies == [wanted.body]
    assert [line.split()[0] for line in api.log] == ["GET", "POST", "GET"]


@pytest.mark.parametrize("canned", [LOST, BAD_GATEWAY])
def test_a_comment_that_got_lost_is_made_again_once(api: GitHub, canned: Canned) -> None:
    api.script_once("POST", canned)
    put(rest(api), 7, WANTED)
    assert api.bodies == ["new"]

    api.comments.clear()
    api.script_once("POST", canned, canned)
    with pytest.raises(Uncertain):
        put(rest(api), 7, WANTED)
    assert api.bodies == []


def test_an_edit_is_repeated_where_the_server_fails(api: GitHub) -> None:
    api.add(OLD)
    api.script_once("PATCH", BAD_GATEWAY, LOST)

    put(rest(api), 7, WANTED)

    assert api.bodies == ["new"]


@pytest.mark.parametrize(
    ("canned", "said", "detail"),
    [
        (READ_ONLY, "403: Resource not accessible by integration", "pull-requests: write"),
        (LOCKED, "403: Unable to create comment because issue is locked.", ""),
        (BAD_CREDENTIALS, "401: Bad credentials", "the input token"),
        (NOT_FOUND, "404: Not Found", "may not see it"),
        (GONE, "410: This issue was deleted", "turned off"),
        (TOO_LONG, "422: Validation Failed; body is too long", "bug in countci"),
        (PRIMARY, "403: API rate limit exceeded for installation.", "the next run tries again"),
        (Canned(400, "<html>no</html>"), "GitHub answers 400", ""),
    ],
)
def test_a_refusal_says_what_github_said_and_what_to_do(
    api: GitHub, canned: Canned, said: str, detail: str
) -> None:
    api.script_once("POST", canned)

    with pytest.raises(MeasureError) as caught:
        put(rest(api), 7, WANTED)
    assert caught.value.where == "writing the comment"
    assert said in caught.value.problem
    assert (detail in caught.value.detail) if detail else not caught.value.detail
    assert len([line for line in api.log if line.startswith("POST")]) == 1


def test_a_secondary_limit_is_waited_for_once(api: GitHub) -> None:
    api.script_once("POST", SECONDARY)
    put(rest(api), 7, WANTED)
    assert api.bodies == ["new"]

    api.comments.clear()
    api.script_once("POST", SECONDARY, SECONDARY)
    with pytest.raises(MeasureError, match="secondary rate limit"):
        put(rest(api), 7, WANTED)


def test_a_server_that_fails_for_good_is_said_without_its_page(api: GitHub) -> None:
    api.script_once("GET", *[BAD_GATEWAY] * 4)

    with pytest.raises(MeasureError) as caught:
        put(rest(api), 7, WANTED)
    assert caught.value.problem == "GitHub answers 502"


@pytest.mark.parametrize("body", ["", "[", '{"a": 1}', '[{"id": "x"}]'])
def test_an_answer_of_another_form_is_no_crash(api: GitHub, body: str) -> None:
    api.script_once("GET", Canned(200, body))

    with pytest.raises(MeasureError, match="can't be read"):
        put(rest(api), 7, WANTED)


def test_pull_requests_are_asked_for_by_owner_and_branch(api: GitHub) -> None:
    deleted = {**PULL, "number": 9, "head": {**PULL["head"], "repo": None}}
    api.pulls.append(deleted)

    found = list(rest(api).pulls("ada", "faster"))

    assert [(each.number, each.source, each.base) for each in found] == [
        (7, 4200, "main"),
        (9, None, "main"),
    ]
    assert api.log == ["GET /repos/savings/bank/pulls?state=open&head=ada%3Afaster&per_page=100"]


def test_a_branch_is_text_in_the_address_and_nothing_else(api: GitHub) -> None:
    assert list(rest(api).pulls("ada", "a&head=x:y#/../é")) == []
    (line,) = api.log
    assert "head=ada%3Aa%26head%3Dx%3Ay%23%2F..%2F%C3%A9&" in line


@pytest.mark.parametrize("name", ["", "bank", "a/b/c", "a/b?c", "../..#"])
def test_a_repository_is_owner_and_name(api: GitHub, name: str) -> None:
    with pytest.raises(UsageError, match="is not OWNER/NAME"):
        Rest(Client(api.url, {}), api.url, name)
