"""Events of CPython 3.11: `sys.settrace` and `sys.setprofile`."""

from __future__ import annotations

import dis
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any, Final

from .tracing import NOBODY, Events, is_ours, name_of

_RESUME: Final = dis.opmap["RESUME"]
_Trace = Callable[[FrameType, str, Any], Any]


def start(events: Events, *, byte_codes: bool) -> Callable[[], None]:
    """Record from now on, in this thread and those that begin; return what ends it."""
    begin, profile = _Tracers(events, byte_codes=byte_codes).begin, _profiler(events)
    before = sys.gettrace(), sys.getprofile()
    in_threads = threading.gettrace(), threading.getprofile()

    def stop() -> None:
        sys.settrace(before[0])
        sys.setprofile(before[1])
        threading.settrace(in_threads[0])
        threading.setprofile(in_threads[1])

    threading.settrace(begin)
    threading.setprofile(profile)
    sys.setprofile(profile)
    sys.settrace(begin)
    return stop


class _Tracers:
    """A trace function for each code object."""

    def __init__(self, events: Events, *, byte_codes: bool) -> None:
        self._events = events
        self._byte_codes = byte_codes
        self._local: dict[int, _Trace] = {}

    def begin(self, frame: FrameType, _event: str, _argument: object) -> _Trace | None:
        code = frame.f_code
        if is_ours(code):
            return None
        key = self._events.enter(code)
        if _starts(frame):
            caller = frame.f_back.f_code if frame.f_back else None
            known = caller is not None and not is_ours(caller)
            self._events.calls[self._events.enter(caller) if known else NOBODY, key] += 1  # type: ignore[arg-type]
        frame.f_trace_opcodes = self._byte_codes
        if key not in self._local:
            self._local[key] = self._tracer(key)
        return self._local[key]

    def _tracer(self, key: int) -> _Trace:
        lines, byte_codes = self._events.lines, self._events.byte_codes[key]

        def local(frame: FrameType, event: str, _argument: object) -> _Trace:
            if event == "opcode":
                byte_codes[frame.f_lasti] += 1
            elif event == "line":
                lines[key, frame.f_lineno] += 1
            return local

        return local


def _starts(frame: FrameType) -> bool:
    """Return whether a function starts: a generator that goes on is an event `call`, too.

    Source: dis, RESUME: its argument is 0 where a function starts.
    """
    code, place = frame.f_code.co_code, max(0, frame.f_lasti)
    return code[place] == _RESUME and code[place + 1] == 0


def _profiler(events: Events) -> Callable[[FrameType, str, Any], None]:
    foreign = events.foreign

    def profile(frame: FrameType, event: str, argument: object) -> None:
        if event == "c_call" and not is_ours(frame.f_code):
            foreign[events.enter(frame.f_code), name_of(argument)] += 1

    return profile
