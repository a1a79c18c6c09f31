"""What GitHub means when it refuses, and what to do about it. Pure."""

from __future__ import annotations

import msgspec

from countci.errors import MeasureError
from countci.network import Answer, Request

_PERMISSION = """the job needs
permissions:
  pull-requests: write
which a fork's or Dependabot's own run never has: docs/github.md has a workflow for those"""
_LONGEST = 300
_DETAILS = {
    401: "the token has run out, or is none of this server: it is the input token",
    404: "the token may not see it, or it is not there any more",
    410: "comments are turned off, or it was deleted",
    422: "this is a bug in countci: please report it",
}


class _Fault(msgspec.Struct):
    message: str = ""


class _Refused(msgspec.Struct):
    message: str = ""
    errors: tuple[_Fault, ...] = ()


def refusal(request: Request, answer: Answer) -> MeasureError:
    """Return the error that tells of an answer which isn't what was asked for."""
    said = _message(answer.body)
    return MeasureError(
        f"GitHub answers {answer.status}{': ' if said else ''}{said}",
        where=_what(request),
        detail=_detail(answer.status, said),
    )


def _message(body: bytes) -> str:
    """Return GitHub's words; none where a proxy answers with a page of its own."""
    try:
        found = msgspec.json.decode(body, type=_Refused)
    except msgspec.MsgspecError:
        return ""
    texts = [found.message, *[fault.message for fault in found.errors if fault.message]]
    return "; ".join(texts)[:_LONGEST]


def _detail(status: int, said: str) -> str:
    if "rate limit" in said.lower() or status == 429:
        return "the next run tries again"
    if status == 403:
        return "" if "locked" in said.lower() else _PERMISSION
    if status >= 500:
        return "the next run tries again"
    return _DETAILS.get(status, "")


def _what(request: Request) -> str:
    if "/pulls" in request.url:
        return "looking for the pull request"
    return {
        "GET": "looking for the comment",
        "POST": "writing the comment",
        "PATCH": "editing the comment",
    }[request.method]
