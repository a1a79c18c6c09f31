"""One output file of callgrind: its total, for trees whose children are forked without an exec."""

from __future__ import annotations

import re

from countci.counting.profile import Profile
from countci.counting.rows import Rows
from countci.errors import MeasureError
from countci.units import Instructions

_HEAD = re.compile(rb"# callgrind format\n.*?\ncmd: +(.*?)\npart: 1\n", re.DOTALL)
_EVENTS = re.compile(rb"\nevents: Ir\n")
_END = re.compile(rb"\ntotals: ([0-9]{1,20})\n+\Z")


def parse(data: bytes, *, name: str) -> Profile:
    """Return the instructions of one callgrind output file, without its functions.

    Args:
        data: the whole file.
        name: the file's name, for messages only.

    Raises:
        MeasureError: it is truncated, another program's, or nothing was counted.

    Source:
        Valgrind manual, "Callgrind Format Specification". `totals` is the last line.
    """
    head, end = _HEAD.match(data), _END.match(data, max(0, data.rfind(b"\ntotals:")))
    if head is None or not _EVENTS.search(data, head.end()):
        raise MeasureError("not a callgrind file that counts instructions", where=f"{name}:1")
    if end is None:
        line = data.count(b"\n") + 1
        raise MeasureError("no totals: the file is truncated", where=f"{name}:{line}")
    total = int(end[1])
    if not total:
        line = data.count(b"\n", 0, end.start()) + 2
        raise MeasureError("nothing was counted", where=f"{name}:{line}")
    return Profile(
        command=head[1].decode(errors="backslashreplace"),
        total=Instructions(total),
        functions={},
        rows=Rows(events=1, column=0),
        bodies={},
    )
