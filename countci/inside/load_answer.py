"""Where an answer of HTTP/1 ends: pure."""

from __future__ import annotations

_UNKNOWN = 1 << 62
"""Longer than what has come: more must come first."""


class AnswerError(Exception):
    """What came is no answer, or only a part of one."""


def length_of(answer: bytes, *, ended: bool) -> tuple[int, int]:
    """Return the whole length of an answer and its status; a huge length while that is unknown.

    Args:
        answer: what has come so far.
        ended: nothing more will come.

    Raises:
        AnswerError: it is not HTTP, or ended too early.

    Source:
        RFC 9112, section 6.3: message body length.
    """
    head = answer.find(b"\r\n\r\n")
    if head < 0:
        if ended:
            raise AnswerError("the connection was closed without an answer")
        if answer and not b"HTTP/1.".startswith(answer[:7]):
            raise AnswerError(f"not an answer of HTTP/1: {answer[:40]!r}")
        return _UNKNOWN, 0
    if not answer.startswith(b"HTTP/1."):
        raise AnswerError(f"not an answer of HTTP/1: {answer[:40]!r}")
    status, body = int(answer[9:12]), head + 4
    length = _whole(answer, answer[:head].lower(), status, body)
    if length == _UNKNOWN and ended and _until_closed(answer[:head].lower()):
        return len(answer), status
    if ended and length > len(answer):
        raise AnswerError("the connection was closed in the middle of an answer")
    return length, status


def _whole(answer: bytes, head: bytes, status: int, body: int) -> int:
    if status in {204, 304} or status < 200:
        return body
    if b"\r\ntransfer-encoding: chunked" in head:
        return _chunked(answer, body)
    at = head.find(b"\r\ncontent-length:")
    if at < 0:
        return _UNKNOWN
    value = head[at + 17 :].split(b"\r\n", 1)[0].strip()
    if not value.isdigit():
        raise AnswerError(f"no length: {value!r}")
    return body + int(value)


def _until_closed(head: bytes) -> bool:
    return b"\r\ncontent-length:" not in head and b"\r\ntransfer-encoding: chunked" not in head


def _chunked(answer: bytes, at: int) -> int:
    """Return where the last chunk ends; trailers are not read."""
    while True:
        line = answer.find(b"\r\n", at)
        if line < 0:
            return _UNKNOWN
        try:
            size = int(answer[at:line].split(b";")[0], 16)
        except ValueError as error:
            raise AnswerError(f"no size of a chunk: {answer[at:line][:40]!r}") from error
        at = line + 2 + size + 2
        if size == 0:
            return at
        if at > len(answer):
            return _UNKNOWN
