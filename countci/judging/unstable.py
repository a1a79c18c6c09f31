"""What a reader should know of a count that differs from itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from countci.judging.noise import Spread
from countci.model import CommandWork, Limit, Measurement, Query, Reason
from countci.units import show_limit, show_share

_MOST = Fraction(1, 3)
"""Of the limit: with more noise than this, a change that matters may not be seen."""
_ASKS_FOR = {
    "random": "random numbers",
    "clock": "the clock",
    "pid": "its process id",
    "threads": "threads, which take turns as they like",
}
_FIXABLE = ("clock", "random")


def of_noise(
    found: Spread, base: Measurement, head: Measurement, limit: Limit, query: Query
) -> Iterator[Reason]:
    """Yield that a count differs from itself by more than a third of the limit, and why."""
    if found.noise is None or found.noise <= Fraction(limit.share) * _MOST:
        return
    size = show_share(float(found.noise)).lstrip("+")
    beside = f"±{size} beside a limit of {show_limit(limit.share)}"
    if len(found.seeds) > 1:
        seeds = ", ".join(map(str, found.seeds))
        text = f"unstable: it depends on the seed of hashes and random numbers ({seeds}): {beside}"
    else:
        causes = [name for name in _ASKS_FOR if name in {*base.causes, *head.causes}]
        text = f"unstable: the same build differs from itself, {beside}; {_cause(causes, query)}"
    yield Reason(code="unstable", text=text)


def _cause(causes: Sequence[str], query: Query) -> str:
    name = query.id
    if not causes:
        return (
            "its system calls name no cause (addresses, perhaps): "
            f"`countci doctor --query {name}` tries some"
        )
    asks = f"it asks for {_listed([_ASKS_FOR[each] for each in causes])}"
    if not isinstance(query.work, CommandWork):  # which can't be fixed, nor tried by the doctor
        return f"{asks}, or its memory is laid out otherwise in each run"
    fixable = [each for each in _FIXABLE if each in causes]
    if fixable and not query.work.fixed:
        names = ", ".join(f'"{each}"' for each in fixable)
        return f"{asks}; `fixed = [{names}]` in the query makes that the same in every run"
    return f"{asks}; `countci doctor --query {name}` tries which it is"


def _listed(words: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
