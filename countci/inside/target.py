"""What is asked: a function of the project, found by its name."""

from __future__ import annotations

import importlib
import os
import types
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any, Final

_HERE: Final = os.path.dirname(os.path.realpath(__file__))  # noqa: PTH120 - pathlib costs a start
# Flags of a code object; `inspect` would tell, but costs a fifth of a start under valgrind.
_GENERATOR: Final = 0x20
_COROUTINE: Final = 0x80
_ASYNC_GENERATOR: Final = 0x200


class TargetError(Exception):
    """The function can't be asked; the second argument says more."""


def load(function: str, setup: str | None) -> Callable[[], Any]:
    """Return one ask of the function `module:name`, with what `setup` makes as its argument.

    A coroutine function is run by one loop for all asks. Without a setup, or with one that
    returns None, there is no argument.

    Raises:
        TargetError: there is no such function, or a call of it would do nothing.
    """
    target = find(function)
    argument = _made(setup) if setup else None
    call = target if argument is None else partial(target, argument)
    if _flags(target) & _COROUTINE:
        return _awaited(call)
    return call


def check(result: object, function: str) -> None:
    """Raise a TargetError for a result that has still to be run."""
    if isinstance(result, types.GeneratorType | types.AsyncGeneratorType):
        raise TargetError(
            f"{function} returns a generator: calling it does nothing",
            "write a function that consumes it, for example with list()",
        )
    if isinstance(result, Awaitable):
        if isinstance(result, Coroutine):
            result.close()
        raise TargetError(
            f"{function} returns what has to be awaited: calling it does nothing",
            "write it as `async def`, and await it there",
        )


def find(spec: str) -> Callable[..., Any]:
    """Return the function that `module:name` names; dots lead into classes."""
    module, colon, path = spec.partition(":")
    if not (module and colon and path):
        raise TargetError(f"{spec!r} names no function", 'write it as "package.module:function"')
    try:
        found: Any = importlib.import_module(module)
    except BaseException as error:
        raise TargetError(f"{module} can't be imported", story(error)) from error
    for name in path.split("."):
        if not hasattr(found, name):
            near = ", ".join(sorted(n for n in vars(found) if not n.startswith("_")))
            raise TargetError(f"{module} has no {path}", f"it has: {near[:500]}")
        found = getattr(found, name)
    if not callable(found):
        raise TargetError(f"{spec} is no function", f"it is {type(found).__name__}")
    if _flags(found) & (_GENERATOR | _ASYNC_GENERATOR):
        raise TargetError(
            f"{spec} is a generator function: calling it does nothing",
            "write a function that consumes it, for example with list()",
        )
    return found  # type: ignore[no-any-return]  # callable, as was asked above


def story(error: BaseException) -> str:
    """Return the traceback of an error, without the lines of this package."""
    import traceback

    found = traceback.TracebackException.from_exception(error)
    ours = [frame for frame in found.stack if frame.filename.startswith(_HERE)]
    found.stack[:] = [frame for frame in found.stack if frame not in ours]
    return "".join(found.format())


def _flags(function: object) -> int:
    """Return the flags of a function's code, also of what wraps one."""
    for name in ("__func__", "func", "__wrapped__"):  # of methods, partials, functools.wraps
        function = getattr(function, name, function)
    return getattr(getattr(function, "__code__", None), "co_flags", 0)


def _made(setup: str) -> object:
    make = find(setup)
    try:
        return _awaited(make)() if _flags(make) & _COROUTINE else make()
    except BaseException as error:
        raise TargetError(f"{setup} raises {type(error).__name__}", story(error)) from error


def _awaited(call: Callable[[], Any]) -> Callable[[], Any]:
    run = _event_loop().run_until_complete
    return lambda: run(call())


_LOOPS: Final[list[Any]] = []


def _event_loop() -> Any:  # noqa: ANN401 - asyncio costs a third of a start: imported when used
    import asyncio

    if not _LOOPS:
        _LOOPS.append(asyncio.new_event_loop())
    return _LOOPS[0]
