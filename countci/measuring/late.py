"""What becomes of a comparison when its time is over: said once, and nothing more is begun."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from countci import process
from countci.measuring.bench import Bench
from countci.model import Build, Comparison, Explanation, Kind, Problem, Reason

_NOT_EXPLAINED = "not-explained"


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """Where differences come from, as far as there was time."""

    explanations: tuple[Explanation, ...] = ()
    notices: tuple[Reason, ...] = ()


def told(measured: Sequence[Comparison], deadline: process.Deadline) -> tuple[Comparison, ...]:
    """Return `measured`, all that there was no time for with one and the same problem.

    What seems new is among it: base may only have lacked the time.
    """
    if not deadline.cut:
        return tuple(measured)
    problem = Problem.of(deadline.error(""))
    return tuple(_told(each, problem) for each in measured)


def _told(comparison: Comparison, late: Problem) -> Comparison:
    if comparison.kind is Kind.NEW:
        return replace(comparison, kind=Kind.BOTH, problem=late)
    problem = comparison.problem
    # Only the first words are ours: where it happened, and on which side, was added.
    if problem is not None and problem.problem.startswith(late.problem):
        return replace(comparison, problem=late)
    return comparison


def explain(
    bench: Bench,
    worth: Sequence[Comparison],
    builds: tuple[Build, Build],
    deadline: process.Deadline,
) -> Told:
    """Return the explanations of `worth` for which there was time, and how many there are not."""
    if not worth:
        return Told()
    import countci.measuring.explained as explained

    found = () if deadline.over else explained.add(bench, worth, *builds)
    if not deadline.over:
        return Told(explanations=found)
    kept = tuple(each for each in found if not _is_cut(each))
    lacking = len(worth) - len(kept)
    if not lacking:
        return Told(explanations=kept)
    which = "1 query is" if lacking == 1 else f"{lacking} queries are"
    text = f"{which} not explained: the time of --max-time was over"
    return Told(explanations=kept, notices=(Reason(code=_NOT_EXPLAINED, text=text),))


def _is_cut(explanation: Explanation) -> bool:
    return any(note.code == _NOT_EXPLAINED for note in explanation.notes)
