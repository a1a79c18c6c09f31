"""How long to wait before a server is asked again. Pure.

Source:
    GitHub's documentation, "Best practices for using the REST API": `retry-after` first, then
    `x-ratelimit-remaining`, else at least a minute.
"""

from __future__ import annotations

from countci.network.messages import Answer
from countci.units import Seconds

_AFTER_FAILURE = (Seconds(1.0), Seconds(2.0), Seconds(4.0))
_LONGEST = 60
"""Seconds. Who is told to wait longer is waited for by a whole job."""
_SECONDARY = b"secondary rate limit"


def pause(answer: Answer | None, repeats: int) -> Seconds | None:
    """Return how long to wait before the next try; None: there should be none.

    Args:
        answer: None where there was no answer at all.
        repeats: how often the same was asked again already.
    """
    if repeats >= len(_AFTER_FAILURE):
        return None
    if answer is None:
        return _AFTER_FAILURE[repeats]
    if answer.status not in (403, 429) and answer.status < 500:
        return None
    told = answer.headers.get("retry-after", "").strip()
    if told.isascii() and told.isdecimal():
        return Seconds(float(told)) if float(told) <= _LONGEST else None
    return _untold(answer, repeats)


def _untold(answer: Answer, repeats: int) -> Seconds | None:
    if answer.headers.get("x-ratelimit-remaining", "").strip() == "0":
        return None  # until the limit is reset, which is up to an hour away
    if answer.status >= 500:
        return _AFTER_FAILURE[repeats]
    limited = answer.status == 429 or _SECONDARY in answer.body
    return Seconds(float(_LONGEST)) if limited and repeats == 0 else None
