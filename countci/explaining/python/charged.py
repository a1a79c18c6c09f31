"""What moved, and what each function is charged for it in instructions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from countci.explaining.python.charging import by_name, charges
from countci.explaining.python.flow import Flow
from countci.explaining.python.question import Question

_FAR = 20
"""A byte code that costs so many times the usual one: other things moved than byte codes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Charged:
    """The whole difference, divided over functions."""

    units: Mapping[str, float]
    """Byte codes an ask, by key of a pair."""
    deltas: Mapping[str, float]
    """Instructions an ask; what they leave is the rest."""
    fits: bool
    """What functions do more costs about what they did cost: the division tells something."""

    def ranked(self, delta: float) -> list[str]:
        """Return the keys: those of the whole difference's sign first, largest first."""
        deltas = self.deltas
        return sorted(deltas, key=lambda key: (deltas[key] * delta <= 0, -abs(deltas[key])))


def charged(question: Question, flow: Flow) -> Charged | None:
    """Return what each function is charged; None where nothing moved.

    Byte codes have no prices of their own. Where most of them moved the way that the
    instructions did, the instructions are divided by them; else each costs what the mean one
    did on base. Where no number of byte codes moved, those functions are charged whose byte
    code changed, by their calls.
    """
    units = {key: float(amount) for key, amount in by_name(flow, charges(flow)).items()}
    whole = sum(units.values())
    if not units:
        return _by_calls(question, flow)
    price = question.totals[0] / max(1, sum(before for before, _ in flow.costs.values()))
    if whole * question.delta > 0 and abs(whole) >= sum(map(abs, units.values())) / 2:
        fits = abs(question.delta / whole) <= _FAR * price
        price = question.delta / whole
    else:
        fits = False
    deltas = {key: amount * price for key, amount in units.items()}
    return Charged(units=units, deltas=deltas, fits=fits)


def _by_calls(question: Question, flow: Flow) -> Charged | None:
    weights = {key: max(pair.calls) for key, pair in flow.pairs.items() if pair.changed}
    if not any(weights.values()):
        weights = _foreign(flow)
    whole = sum(weights.values())
    if not whole:
        return None
    deltas = {key: question.delta * weight / whole for key, weight in weights.items()}
    return Charged(units=dict.fromkeys(weights, 0.0), deltas=deltas, fits=False)


def _foreign(flow: Flow) -> dict[str, int]:
    """Return how many calls of C functions are more or less, by caller."""
    found: dict[str, int] = {}
    for (caller, _), (before, after) in flow.foreign.items():
        if before != after:
            found[caller] = found.get(caller, 0) + abs(after - before)
    return found
