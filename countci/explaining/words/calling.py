"""What is called more or less, in words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from countci.explaining.causes.ranking import Ranked
from countci.explaining.symbols import plain
from countci.units import show_count, show_delta

_WORTH = 0.15
"""Of the cause."""
_MOST = 3
_SAME = 0.5
"""Calls of an ask: less than one is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Callee:
    """All calls of one function from one cause."""

    name: str
    """The symbol."""
    delta: float
    base: float
    """Calls of an ask."""
    head: float

    @property
    def more(self) -> float:
        """Calls of an ask that are new."""
        return self.head - self.base


def callees(ranked: Ranked) -> list[Callee]:
    """Return what a cause calls for more or less, largest first, as far as it is worth it."""
    deltas: dict[str, float] = defaultdict(float)
    base: dict[str, float] = defaultdict(float)
    head: dict[str, float] = defaultdict(float)
    for part in ranked.parts:
        name = part.item.callee
        if name is not None:
            deltas[name] += part.item.delta
            base[name] += part.item.base
            head[name] += part.item.head
    every = [
        Callee(name=name, delta=delta, base=base[name], head=head[name])
        for name, delta in deltas.items()
    ]
    return _worth(sorted(every, key=lambda each: -abs(each.delta)), ranked.delta)


def sentences(ranked: Ranked) -> list[str]:
    """Return a sentence for each callee: `malloc +142k: 2,000 more calls an ask`."""
    return worth(callees(ranked), ranked.delta)


def worth(every: Sequence[Callee], delta: float) -> list[str]:
    """Return a sentence for each that is a good part of a difference, in the order given."""
    return [
        f"{plain(each.name)} {show_delta(each.delta)}: {_calls(each)}"
        for each in _worth(every, delta)
    ]


def _worth(every: Sequence[Callee], delta: float) -> list[Callee]:
    return [each for each in every if abs(each.delta) > _WORTH * abs(delta)][:_MOST]


def summary(ranked: Ranked) -> str:
    """Return the same in one phrase: `2,000 more calls of malloc (+142k) and free (+218k)`."""
    every = callees(ranked)
    groups: dict[str, list[str]] = defaultdict(list)
    for each in every:
        groups[_how_many(each)].append(f"{plain(each.name)} ({show_delta(each.delta)})")
    return ", ".join(
        f"{many} of {listed(found)}" if many else f"{listed(found)} called as often as before"
        for many, found in groups.items()
    )


def listed(names: Iterable[str]) -> str:
    """Return `a, b and c`."""
    every: Sequence[str] = list(names)
    return " and ".join([", ".join(every[:-1]), every[-1]]) if len(every) > 1 else "".join(every)


def _calls(each: Callee) -> str:
    if abs(each.more) < _SAME:
        return "called as often as before"
    return f"{_how_many(each)} an ask"


def _how_many(each: Callee) -> str:
    """Return `24 more calls`; nothing where it is called as often."""
    if abs(each.more) < _SAME:
        return ""
    number = show_count(abs(each.more))
    noun = "call" if number == "1" else "calls"
    return f"{number} {'more' if each.more > 0 else 'fewer'} {noun}"
