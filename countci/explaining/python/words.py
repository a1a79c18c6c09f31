"""What is said of a function: its calls, its byte code, its cells, whom it calls more often."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

from countci.explaining.python.charging import outermost
from countci.explaining.python.flow import Both, Flow
from countci.explaining.python.pairing import Pair
from countci.explaining.python.paths import module_path

_MOST = 3
"""Callees that are named."""


def title(pair: Pair) -> str:
    """Return what a person would call it."""
    if pair.name == "<module>":
        return module_path(pair.either.file)
    return pair.name.replace(".<locals>.", ".")


def details(flow: Flow, key: str) -> tuple[str, ...]:
    """Return the sentences below a function."""
    pair = flow.pairs[key]
    around = outermost(flow)
    whole = {each for each, above in around.items() if above == key}
    return (f"{called(pair)}; {_code(flow, key)}", *_cells(pair), *_callees(flow, pair, whole))


def called(pair: Pair) -> str:
    """Return how often it is called: `called 1,204 times an ask`."""
    before, after = pair.calls
    if before == after:
        return f"called {_times(after)} an ask"
    if pair.base is None:
        return f"new: called {_times(after)} an ask"
    if pair.head is None or not after:
        return f"no longer called: it was {_times(before)} an ask"
    return f"called {before:,} → {after:,} times an ask"


def _code(flow: Flow, key: str) -> str:
    pair = flow.pairs[key]
    if pair.base is None or pair.head is None:
        cost = max(flow.costs[key])
        return f"{_each(cost, max(pair.calls))} {flow.unit} a call"
    changed = "its byte code changed" if pair.changed else "the same byte code"
    before, after = (
        _each(cost, calls) for cost, calls in zip(flow.costs[key], pair.calls, strict=True)
    )
    if before == after:
        return f"{changed}: {after} {flow.unit} a call, as before"
    return f"{changed}: {before} → {after} {flow.unit} a call"


def _cells(pair: Pair) -> tuple[str, ...]:
    """Return what byte codes tell little of: a cell is an object, made at each call."""
    if pair.base is None or pair.head is None:
        return ()
    new = [name for name in pair.head.cells if name not in pair.base.cells]
    old = [name for name in pair.base.cells if name not in pair.head.cells]
    found = []
    if new:
        found.append(f"each call makes a cell for {_listed(new)} now: a function within uses it")
    if old:
        found.append(f"calls no longer make a cell for {_listed(old)}")
    return tuple(found)


def _callees(flow: Flow, pair: Pair, whole: Collection[str]) -> tuple[str, ...]:
    """Return whom it calls more often or less, by itself: not because it is called more often.

    Args:
        flow: both sides.
        pair: the function.
        whole: keys of it, and of the functions within it.
    """
    calls: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    python = ((edge, title(flow.pairs[edge[1]])) for edge in flow.calls if edge[1] not in whole)
    for edge, name in python:
        if edge[0] in whole:
            _add(calls[name], flow.calls[edge])
    for (caller, name), both in flow.foreign.items():
        if caller in whole:
            _add(calls[name], both)
    found = [(_moved(both, pair), name) for name, both in calls.items()]
    largest = sorted((each for each in found if each[0]), key=lambda each: -abs(each[0]))[:_MOST]
    return tuple(
        f"calls {name} {_times(abs(moved))} {'more' if moved > 0 else 'less'} an ask"
        for moved, name in largest
    )


def _add(sums: list[int], both: Both) -> None:
    sums[0] += both[0]
    sums[1] += both[1]


def _moved(both: Sequence[int], caller: Pair) -> int:
    before, after = caller.calls
    expected = both[0] * after / before if before else both[0]
    return round(both[1] - expected)


def _each(cost: int, calls: int) -> str:
    """Return a cost a call, with a digit after the point where it has one."""
    return f"{cost / (calls or 1):,.1f}".removesuffix(".0")


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number:,} times"


def _listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
