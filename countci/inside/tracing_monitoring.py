"""Events of CPython 3.12 and later: `sys.monitoring`, in all threads."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import CodeType, FunctionType, MethodType
from typing import Any, Final

from .tracing import NOBODY, Events, is_ours, name_of

_NAME: Final = "countci"
_TOOLS: Final = (3, 4, 2, 0, 1, 5)  # those without a meaning of their own first


def start(events: Events, *, byte_codes: bool) -> Callable[[], None]:
    """Record from now on; return what ends it."""
    monitoring: Any = vars(sys)["monitoring"]  # typed as 3.11, which has none
    tool = next(each for each in _TOOLS if monitoring.get_tool(each) is None)
    kinds = monitoring.events
    callbacks = {
        kinds.PY_START: _start(events),
        kinds.LINE: _line(events),
        kinds.CALL: _call(events),
    }
    if byte_codes:
        callbacks[kinds.INSTRUCTION] = _instruction(events)

    def stop() -> None:
        monitoring.set_events(tool, 0)
        for kind in callbacks:
            monitoring.register_callback(tool, kind, None)
        monitoring.free_tool_id(tool)

    monitoring.use_tool_id(tool, _NAME)
    for kind, callback in callbacks.items():
        monitoring.register_callback(tool, kind, callback)
    monitoring.set_events(tool, sum(callbacks))
    return stop


def _start(events: Events) -> Any:  # noqa: ANN401 - a callback
    def start(code: CodeType, _place: int) -> None:
        if is_ours(code):
            return
        back = sys._getframe(1).f_back  # noqa: SLF001 - 1 is the function that starts
        caller = back.f_code if back else None
        known = caller is not None and not is_ours(caller)
        events.calls[events.enter(caller) if known else NOBODY, events.enter(code)] += 1  # type: ignore[arg-type]

    return start


def _line(events: Events) -> Any:  # noqa: ANN401
    def line(code: CodeType, number: int) -> None:
        if not is_ours(code):
            events.lines[events.enter(code), number] += 1

    return line


def _instruction(events: Events) -> Any:  # noqa: ANN401
    def instruction(code: CodeType, place: int) -> None:
        if not is_ours(code):
            events.byte_codes[events.enter(code)][place] += 1

    return instruction


def _call(events: Events) -> Any:  # noqa: ANN401
    def call(code: CodeType, _place: int, function: object, _first: object) -> None:
        if not (is_ours(code) or isinstance(function, FunctionType | MethodType)):
            events.foreign[events.enter(code), name_of(function)] += 1

    return call
