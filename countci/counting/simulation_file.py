"""One output file of cachegrind: its misses, where caches and branches were simulated. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping

from countci.errors import MeasureError

_EVENTS = re.compile(rb"^events: (.+)$", re.MULTILINE)
_SUMMARY = re.compile(rb"^summary: +([0-9 ]+)\s*\Z", re.MULTILINE)


def totals(data: bytes, *, name: str) -> Mapping[str, int]:
    """Return what was counted in all, by event: `Ir`, `D1mr`, `Bcm`, ...

    Args:
        data: the whole file.
        name: the file's name, for messages only.

    Raises:
        MeasureError: it is no such file, or truncated.

    Source:
        Valgrind manual, "Cachegrind Output File Format". The summary is the last line.
    """
    events, summary = _EVENTS.search(data), _SUMMARY.search(data, max(0, data.rfind(b"\nsummary:")))
    if events is None or summary is None:
        raise MeasureError("not a whole file of cachegrind", where=name)
    names, numbers = events[1].decode().split(), [int(each) for each in summary[1].split()]
    if len(names) != len(numbers):
        problem = f"{len(names)} events, and {len(numbers)} numbers in its summary"
        raise MeasureError(problem, where=name)
    return dict(zip(names, numbers, strict=True))
