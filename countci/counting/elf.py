"""The first bytes of a program: what kind it is, and what the kernel starts with it."""

from __future__ import annotations

import os
import struct

_MAGIC = b"\x7fELF"
_START = 4096
_EXECUTABLE_OR_SHARED = (2, 3)
_INTERPRETER = 3
_LAYOUTS = {1: ("I", 28, 42), 2: ("Q", 32, 54)}
"""By class: an address, where the table of program headers is, and the size of one."""


def start(path: str) -> bytes:
    """Return the first 4 KiB of a file; nothing when it can't be read or is no file."""
    try:
        number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return b""
    try:
        return os.read(number, _START)
    except OSError:
        return b""
    finally:
        os.close(number)


def is_normalised(head: bytes) -> bool:
    """Whether a file is an executable or a shared object: its digest leaves debug sections out."""
    if len(head) < 18 or not head.startswith(_MAGIC):
        return False
    return _number(head, 16, "H") in _EXECUTABLE_OR_SHARED


def interpreter(head: bytes) -> str | None:
    """Return the path of the dynamic loader that an executable asks for, or None.

    Source:
        System V ABI, chapter 5: program headers of type PT_INTERP.
    """
    layout = _LAYOUTS.get(head[4]) if len(head) > 64 and head.startswith(_MAGIC) else None
    if layout is None:
        return None
    try:
        return _interpreter(head, *layout)
    except struct.error:  # the table lies elsewhere, or it is no real program
        return None


def _interpreter(head: bytes, word: str, table_at: int, size_at: int) -> str | None:
    table = _number(head, table_at, word)
    size, count = _number(head, size_at, "H"), _number(head, size_at + 2, "H")
    for at in range(table, min(table + size * count, len(head) - size), size or len(head)):
        if _number(head, at, "I") == _INTERPRETER:
            begin = _number(head, at + (8 if word == "Q" else 4), word)
            return os.fsdecode(head[begin:].partition(b"\0")[0]) or None
    return None


def _number(head: bytes, at: int, kind: str) -> int:
    order = ">" if head[5] == 2 else "<"
    (number,) = struct.unpack_from(order + kind, head, at)
    return int(number)
