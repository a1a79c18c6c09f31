"""Two countci on one repository wait for each other."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Callable, Iterator

from countci.builds.places import Places
from countci.errors import MeasureError, UsageError
from countci.units import Seconds, show_seconds

_LONGEST = 1000
"""Bytes of the line in the lock file."""
_PAUSE = 0.05
"""Seconds."""


@contextlib.contextmanager
def hold(
    places: Places,
    on_wait: Callable[[str], None],
    command: str = "countci",
    *,
    longest: Seconds | None = None,
) -> Iterator[None]:
    """Hold the repository's places; the lock ends with the block, or with this process.

    Args:
        places: prepared ones.
        on_wait: told once who holds them, when we have to wait:
            `process 4711, since 2026-11-30 23:20:37: countci compare`.
        command: ours, for others who wait.
        longest: how long we wait at most; None is for ever.

    Raises:
        MeasureError: they aren't free by then.
        UsageError: the file system knows no locks, or the lock file can't be written.
    """
    try:
        handle = os.open(places.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise _unusable(places, error) from error
    try:
        try:
            _wait(handle, on_wait, longest)
            _sign(handle, command)
        except OSError as error:
            raise _unusable(places, error) from error
        yield
    finally:
        os.close(handle)


def _wait(handle: int, on_wait: Callable[[str], None], longest: Seconds | None) -> None:
    if _is_ours(handle):
        return
    who = os.pread(handle, _LONGEST, 0).decode(errors="replace").strip() or "another countci"
    on_wait(who)
    if longest is None:
        fcntl.flock(handle, fcntl.LOCK_EX)
        return
    end = time.monotonic() + longest
    while not _is_ours(handle):
        if time.monotonic() >= end:
            raise MeasureError(
                f"another countci holds this repository's places, not free within "
                f"{show_seconds(longest)}",
                where=who,
                detail="wait for its end; or --max-time gives more time",
            )
        time.sleep(_PAUSE)  # the kernel's own wait for a lock knows no end


def _is_ours(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _sign(handle: int, command: str) -> None:
    since = time.strftime("%Y-%m-%d %H:%M:%S")
    line = f"process {os.getpid()}, since {since}: {command}".encode()[: _LONGEST - 1] + b"\n"
    os.pwrite(handle, line, 0)
    os.ftruncate(handle, len(line))


def _unusable(places: Places, error: OSError) -> UsageError:
    return UsageError(
        f"can't be locked: {error.strerror}",
        where=str(places.lock),
        detail="put the cache on a local disk: --cache-dir FOLDER",
    )
