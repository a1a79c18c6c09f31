"""A digest of what an ask prints and returns, so that a changed answer can be named."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any, Final, NamedTuple

_MOST: Final = 1 << 20  # characters of a result that are looked at; its length counts beyond
_ADDRESS: Final = re.compile(r"\b0x[0-9a-fA-F]+")


class Answer(NamedTuple):
    """What an ask says."""

    digest: str
    """16 hex digits."""
    printed: int
    """Bytes on standard output."""


def answer(ask: Callable[[], Any]) -> Answer:
    """Return what one more ask prints and returns."""
    with os.fdopen(os.memfd_create("printed"), "w+b") as printed:
        with _standard_output_into(printed):
            result = ask()
        printed.seek(0)
        output = printed.read()
    found = hashlib.sha256(output)
    found.update(b"\0")
    found.update(shown(result).encode(errors="surrogatepass"))
    return Answer(found.hexdigest()[:16], len(output))


def digest_of(result: object) -> str:
    """Return 16 hex digits of a result."""
    return hashlib.sha256(shown(result).encode(errors="surrogatepass")).hexdigest()[:16]


def shown(result: object) -> str:
    """Return a result as text, without addresses, sets sorted, and not without end."""
    text = "".join(_limited(_pieces(result, 0)))
    return _ADDRESS.sub("0x", text)


def _limited(pieces: Iterator[str]) -> Iterator[str]:
    left = _MOST
    for piece in pieces:
        yield piece[:left]
        left -= len(piece)
        if left <= 0:
            yield f"... {left}"
            return


def _pieces(value: object, depth: int) -> Iterator[str]:
    kind = type(value)
    if depth < 8 and kind in (list, tuple, dict, set, frozenset):
        yield f"{kind.__name__} {len(value)}["  # type: ignore[arg-type]  # all have a length
        if kind is dict:
            yield from _joined((item for pair in value.items() for item in pair), depth)  # type: ignore[attr-defined]
        elif kind in (set, frozenset):
            yield from sorted("".join(_limited(_pieces(item, depth + 1))) for item in value)  # type: ignore[attr-defined]
        else:
            yield from _joined(value, depth)  # type: ignore[arg-type]
        yield "]"
        return
    try:
        yield repr(value)
    except Exception as error:  # noqa: BLE001 - a repr is somebody's code
        yield f"{kind.__name__}: {type(error).__name__}"


def _joined(items: Iterable[object], depth: int) -> Iterator[str]:
    for item in items:
        yield from _pieces(item, depth + 1)
        yield ","


@contextlib.contextmanager
def _standard_output_into(file: IO[bytes]) -> Iterator[None]:
    """Lead file descriptor 1 there, so that what extensions print is seen, too."""
    _flush()
    kept = os.dup(1)
    os.dup2(file.fileno(), 1)
    try:
        yield
    finally:
        _flush()
        os.dup2(kept, 1)
        os.close(kept)


def _flush() -> None:
    if sys.stdout is not None:
        sys.stdout.flush()
    ctypes.CDLL(None).fflush(None)
