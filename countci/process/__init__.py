"""The only door to other programs.

A program gets a whole environment (nothing is inherited), a session of its own, files
instead of pipes (a background child that keeps a pipe open can't hang us), a time limit,
and no way to outlive its step: its group is killed when its leader ends, what left the
group is adopted and killed by `end_strays`, and a watchdog kills the rest should countci
itself be killed. `within` sets an end for all that is started in it.
"""

from __future__ import annotations

from countci.process.background import Background, background
from countci.process.clocked import timed
from countci.process.command import Command, Finished, Spent, raise_for_status, which
from countci.process.deadline import Deadline, time_left, within
from countci.process.family import Member
from countci.process.living import end_all, end_strays
from countci.process.peak import own_peak, peak_memory
from countci.process.placing import on_processors
from countci.process.running import run, started

__all__ = [
    "Background",
    "Command",
    "Deadline",
    "Finished",
    "Member",
    "Spent",
    "background",
    "end_all",
    "end_strays",
    "on_processors",
    "own_peak",
    "peak_memory",
    "raise_for_status",
    "run",
    "time_left",
    "timed",
    "transcript",
    "which",
    "within",
]


def transcript() -> str:
    """Return every command that was started, as lines that can be typed again."""
    return started.text()
