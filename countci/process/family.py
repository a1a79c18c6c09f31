"""Which processes belong to a program: its children, wherever they moved."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass, field
from pathlib import Path

_SHOWN = 100


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Member:
    """One process that runs."""

    pid: int
    began: int
    """In clock ticks since the machine started: tells it from a later one of the same number."""
    command: str = field(compare=False)

    @property
    def runs(self) -> bool:
        """Whether it still does."""
        found = _stat(self.pid)
        return found is not None and found.began == self.began

    def __str__(self) -> str:
        """Return how a message names it."""
        return f"{self.command[:_SHOWN]} ({self.pid})"


@dataclass(frozen=True, slots=True)
class _Stat:
    parent: int
    session: int
    began: int


def family(leader: int, mark: str) -> tuple[Member, ...]:
    """Return all processes that descend from `leader`, itself included, by rising number.

    Beside its session and its children's children, that is what we adopted from it and still
    has `mark` in its environment: a daemon has another session and another parent.
    """
    stats = {pid: stat for pid in _numbers() if (stat := _stat(pid))}
    found = {pid for pid, stat in stats.items() if leader in {pid, stat.session}}
    us, ours = os.getpid(), os.getsid(0)
    adopted = [pid for pid, stat in stats.items() if stat.parent == us and stat.session != ours]
    found |= {pid for pid in adopted if _has(pid, mark)}
    grown = True
    while grown:
        more = {pid for pid, stat in stats.items() if stat.parent in found} - found
        found |= more
        grown = bool(more)
    return tuple(
        Member(pid=pid, began=stats[pid].began, command=_command(pid)) for pid in sorted(found)
    )


def _numbers() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]  # noqa: PTH208 - names only


def _stat(pid: int) -> _Stat | None:
    """Return what the kernel says of a process; None of one that has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return None
    if fields[0] in {"Z", "X"}:
        return None
    return _Stat(parent=int(fields[1]), session=int(fields[3]), began=int(fields[19]))


def _has(pid: int, mark: str) -> bool:
    with contextlib.suppress(OSError):
        return os.fsencode(mark) in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    return False


def _command(pid: int) -> str:
    with contextlib.suppress(OSError):
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        if line := b" ".join(words).strip().decode(errors="replace"):
            return line
        return Path(f"/proc/{pid}/comm").read_text(errors="replace").strip()
    return "?"
