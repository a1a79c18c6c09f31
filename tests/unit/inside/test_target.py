from __future__ import annotations

import asyncio
import sys
import types
from collections.abc import Callable, Iterator
from functools import partial, wraps
from typing import Any

import pytest

from countci.inside import target
from countci.inside.target import TargetError, check, load


class Holder:
    @staticmethod
    def ask() -> int:
        return 5


def _generator() -> Iterator[int]:
    yield 1


async def _awaited(argument: int = 0) -> int:
    await asyncio.sleep(0)
    return argument + 1


@wraps(_awaited)
def _wrapped(*args: Any) -> Any:  # noqa: ANN401
    return _awaited(*args)


def _fails() -> None:
    raise KeyError("deep inside")


@pytest.fixture(autouse=True)
def project(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    module = types.ModuleType("a_project")
    vars(module).update(
        Holder=Holder, one=lambda: 1, twice=lambda x: 2 * x, number=7, generator=_generator,
        awaited=_awaited, wrapped=_wrapped, fails=_fails, made=lambda: (1, 2), none=lambda: None,
        partial=partial(pow, 2),
    )  # fmt: skip
    monkeypatch.setitem(sys.modules, "a_project", module)
    yield
    while target._LOOPS:
        target._LOOPS.pop().close()


@pytest.mark.parametrize(
    ("function", "setup", "answer"),
    [
        ("one", None, 1),
        ("Holder.ask", None, 5),
        ("twice", "one", 2),
        ("twice", "made", (1, 2, 1, 2)),
        ("one", "none", 1),
        ("awaited", None, 1),
        ("awaited", "one", 2),
        ("awaited", "awaited", 2),
        ("wrapped", None, 1),
        ("partial", "one", 2),
    ],
)
def test_what_the_setup_makes_is_the_only_argument(
    function: str, setup: str | None, answer: object
) -> None:
    ask = load(f"a_project:{function}", setup and f"a_project:{setup}")

    assert [ask(), ask()] == [answer, answer]


@pytest.mark.parametrize(
    ("function", "problem", "detail"),
    [
        ("one", "'one' names no function", "package.module:function"),
        ("nowhere:one", "nowhere can't be imported", "ModuleNotFoundError"),
        ("a_project:two", "a_project has no two", "awaited, fails, generator"),
        ("a_project:number", "is no function", "it is int"),
        ("a_project:generator", "is a generator function", "list()"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_what_helps(
    function: str, problem: str, detail: str
) -> None:
    with pytest.raises(TargetError) as caught:
        load(function, None)

    assert problem in caught.value.args[0]
    assert detail in caught.value.args[1]


def test_a_setup_that_raises_shows_its_own_lines_only() -> None:
    with pytest.raises(TargetError, match="a_project:fails raises KeyError") as caught:
        load("a_project:one", "a_project:fails")

    assert "deep inside" in caught.value.args[1]
    assert "inside/target.py" not in caught.value.args[1]


@pytest.mark.parametrize("make", [_generator, _awaited])
def test_a_result_that_has_still_to_be_run_is_refused(make: Callable[[], object]) -> None:
    with pytest.raises(TargetError, match="calling it does nothing"):
        check(make(), "a:b")


def test_any_other_result_is_good() -> None:
    check(iter([1]), "a:b")
