"""Processes that are still inside the tree: they must be gone before it moves."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from countci.builds.places import Places
from countci.errors import MeasureError

_PATIENCE = 3.0
"""Seconds for others to leave by themselves: git of a killed countci ends soon."""

_JUST_STARTED = 0.2
"""Seconds in which a program that is being started gets its environment; none is seen before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Occupant:
    """A process whose working directory or program lies in a folder."""

    pid: int
    program: str
    ours: bool
    """A build or a query, of this run or of a killed one: its HOME is our empty folder."""


def occupants(folders: Sequence[Path], home: Path) -> list[Occupant]:
    """Return the processes in `folders`, other than this one, that we are allowed to see."""
    starts = tuple(f"{folder}/" for folder in folders)
    inside = [
        int(name)
        for name in os.listdir("/proc")  # noqa: PTH208 - speed
        if name.isdigit() and _is_in(name, starts)
    ]
    return [
        Occupant(pid=pid, program=_name(pid), ours=_has_home(pid, home))
        for pid in inside
        if pid != os.getpid()
    ]


def end_ours(folders: Sequence[Path], home: Path) -> list[Occupant]:
    """Kill what builds and queries left in `folders`; return the processes that aren't ours."""
    while True:
        inside = occupants(folders, home)
        left = [occupant for occupant in inside if occupant.ours]
        if not left:
            return inside
        for occupant in left:
            _kill(occupant.pid, home)


def drive_out(places: Places, folders: Sequence[Path]) -> None:
    """Kill what builds and queries left in `folders`; wait a little for others to leave.

    Raises:
        MeasureError: a process that isn't ours stays: its absolute paths would lead it to
            the other side's files. Somebody's shell is refused, not killed.
    """
    end = time.monotonic() + _PATIENCE
    while others := end_ours(folders, places.home):
        if time.monotonic() > end:
            raise _occupied(others[0], folders[0])
        time.sleep(0.05)


def _kill(pid: int, home: Path) -> None:
    with contextlib.suppress(ProcessLookupError):
        handle = os.pidfd_open(pid)
        try:
            # Asked again: the number may belong to another process by now.
            if _has_home(pid, home):
                signal.pidfd_send_signal(handle, signal.SIGKILL)
                select.select([handle], [], [], _PATIENCE)
        finally:
            os.close(handle)


def _occupied(occupant: Occupant, folder: Path) -> MeasureError:
    return MeasureError(
        f"process {occupant.pid} ({occupant.program}) works in the folder that has to move",
        where=str(folder),
        detail=f"let it leave (cd elsewhere), or end it: kill {occupant.pid}",
    )


def _is_in(pid: str, starts: tuple[str, ...]) -> bool:
    for link in ("cwd", "exe"):
        with contextlib.suppress(OSError):
            if f"{os.readlink(f'/proc/{pid}/{link}')}/".startswith(starts):  # noqa: PTH115 - speed
                return True
    return False


def _has_home(pid: int, home: Path) -> bool:
    try:
        environment = Path(f"/proc/{pid}/environ").read_bytes()
        if not environment:
            time.sleep(_JUST_STARTED)
            environment = Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return False
    return b"HOME=" + os.fsencode(home) in environment.split(b"\0")


def _name(pid: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/comm").read_text(errors="replace").strip()
    return "?"
