"""What processes hold at one moment."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from countci.errors import MeasureError
from countci.units import Seconds, show_bytes, show_seconds

_PAUSE = 0.2
"""Seconds between two looks: a program that still works changes something meanwhile."""
_SIZE = re.compile(r"^(Private_Dirty|Pss|Rss): +([0-9]+) kB$", re.MULTILINE)
_THREADS = re.compile(r"^Threads:\t([0-9]+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """Memory and threads of one process, or of several together. Bytes."""

    private_dirty: int
    """Written by it, and nobody else's: what it costs to have it."""
    pss: int
    """Its pages, each divided by how many processes share it."""
    rss: int
    """All its pages; of several processes, shared ones count several times."""
    threads: int


def parse(rollup: str, status: str, *, name: str) -> Held:
    """Return what one process holds.

    Args:
        rollup: its `/proc/PID/smaps_rollup`.
        status: its `/proc/PID/status`.
        name: the process, for messages.

    Raises:
        MeasureError: a number is missing.

    Source:
        proc_pid_smaps(5); numbers are in KiB, whatever the kernel calls them.
    """
    sizes = {found[1]: int(found[2]) * 1024 for found in _SIZE.finditer(rollup)}
    threads = _THREADS.search(status)
    if len(sizes) < 3 or threads is None:
        raise MeasureError("the kernel doesn't tell what it holds", where=name)
    return Held(
        private_dirty=sizes["Private_Dirty"],
        pss=sizes["Pss"],
        rss=sizes["Rss"],
        threads=int(threads[1]),
    )


def together(every: Iterable[Held]) -> Held:
    """Return the sum."""
    found = list(every)
    return Held(
        private_dirty=sum(each.private_dirty for each in found),
        pss=sum(each.pss for each in found),
        rss=sum(each.rss for each in found),
        threads=sum(each.threads for each in found),
    )


def read(pids: Iterable[int], *, name: str, proc: Path = Path("/proc")) -> Held:
    """Return what these processes hold now.

    Raises:
        MeasureError: one has ended, or may not be looked at.
    """
    found = []
    for pid in pids:
        folder = proc / str(pid)
        try:
            texts = (folder / "smaps_rollup").read_text(), (folder / "status").read_text()
        except OSError as error:
            raise MeasureError(
                f"what process {pid} holds can't be read: {error.strerror}", where=name
            ) from error
        found.append(parse(*texts, name=name))
    return together(found)


def quiet(look: Callable[[], Held], *, within: Seconds, name: str) -> Held:
    """Return what is held once two looks in a row see the same written memory and threads.

    Raises:
        MeasureError: that didn't come within its time.
    """
    end = time.monotonic() + within
    before = look()
    while True:
        time.sleep(_PAUSE)
        now = look()
        if (now.private_dirty, now.threads) == (before.private_dirty, before.threads):
            return now
        if time.monotonic() > end:
            moved = show_bytes(abs(now.private_dirty - before.private_dirty))
            raise MeasureError(
                f"not quiet within {show_seconds(within)}: its memory still moved by {moved}; "
                f"threads: {before.threads}, then {now.threads}",
                where=name,
                detail="`touch` must leave it with nothing to do; or give it longer: ready.within",
            )
        before = now
