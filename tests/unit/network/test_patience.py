from __future__ import annotations

import pytest

from countci.network import Answer
from countci.network.patience import pause

SECONDARY = b'{"message": "You have exceeded a secondary rate limit."}'


def answer(status: int, body: bytes = b"", **headers: str) -> Answer:
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return Answer(status=status, headers=named, body=body)


def waits(answered: Answer | None, tries: int) -> list[float | None]:
    return [pause(answered, repeats) for repeats in range(tries)]


@pytest.mark.parametrize("status", [200, 201, 304, 400, 401, 403, 404, 410, 422])
def test_what_would_be_answered_again_is_not_asked_again(status: int) -> None:
    assert pause(answer(status), 0) is None


@pytest.mark.parametrize("failed", [None, answer(500), answer(502), answer(503)])
def test_a_failing_server_is_asked_three_times_more_ever_later(failed: Answer | None) -> None:
    assert waits(failed, 4) == [1, 2, 4, None]


@pytest.mark.parametrize("status", [403, 429, 503])
@pytest.mark.parametrize(("told", "wait"), [("0", 0), ("7", 7), ("60", 60), ("61", None)])
def test_who_tells_how_long_is_waited_for_up_to_a_minute(
    status: int, told: str, wait: float | None
) -> None:
    assert pause(answer(status, retry_after=told), 0) == wait


def test_a_limit_used_up_is_not_waited_for() -> None:
    assert pause(answer(403, SECONDARY, x_ratelimit_remaining="0"), 0) is None
    assert pause(answer(429, x_ratelimit_remaining="0"), 0) is None


@pytest.mark.parametrize("limited", [answer(403, SECONDARY), answer(429)])
@pytest.mark.parametrize("told", ["", "Wed, 21 Oct 2026 07:28:00 GMT", "-1", "1e3", "٣"])
def test_a_limit_that_tells_no_seconds_is_waited_for_once_a_minute_long(
    limited: Answer, told: str
) -> None:
    headers = {"retry-after": told} if told else {}
    told_so = Answer(status=limited.status, headers=headers, body=limited.body)

    assert waits(told_so, 2) == [60, None]
