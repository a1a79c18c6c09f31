"""What moves the count of one query, by what was tried. Pure: what was counted is an argument."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from countci.doctor.finding import Finding, note, ok
from countci.units import show_share

PAD = 4096
"""Bytes by which the environment is made larger, so that everything lies elsewhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """Totals of the smallest n, counted in several ways, and slopes."""

    causes: tuple[str, ...]
    """What the program asks the kernel for."""
    plain: tuple[int, ...]
    """In the same way, more than a second apart."""
    seed: int
    """With another hash seed."""
    slope: Fraction
    """Instructions per ask."""
    elsewhere: Fraction | None
    """The same in a larger environment; None for a whole process, whose start-up that moves."""
    fixed: Mapping[tuple[str, ...], tuple[int, ...]] = field(default_factory=dict)
    """As `plain`, by what was fixed; empty where that can't be done, or isn't needed."""


def findings(tried: Tried) -> tuple[Finding, ...]:
    """Return what each trial says."""
    return (
        _repeats(tried),
        *(_fixed(tried) if not _same(tried.plain) else ()),
        *_seed(tried),
        *_addresses(tried),
        *(_threads() if "threads" in tried.causes else ()),
    )


def _repeats(tried: Tried) -> Finding:
    if _same(tried.plain):
        return ok("repeats", "it counts the same twice, more than a second apart")
    low, high = min(tried.plain), max(tried.plain)
    text = f"the same build differs from itself by {show_share(high / low - 1)}: {low:,}, {high:,}"
    return note("repeats", text)


def _fixed(tried: Tried) -> tuple[Finding, ...]:
    """Return the least that has to be fixed for it to repeat."""
    enough = [names for names, totals in tried.fixed.items() if _same(totals)]
    if enough:
        names = min(enough, key=len)
        listed = ", ".join(f'"{name}"' for name in names)
        what = " and ".join({"clock": "clock", "random": "random numbers"}[name] for name in names)
        return (
            note("cause", f"with a fixed {what} it repeats", f"in the query: fixed = [{listed}]"),
        )
    if not tried.fixed:
        return (note("cause", "not tried: `fixed` needs a compiler", "apt-get install gcc"),)
    asked = "its process id is one thing it asks for; " if "pid" in tried.causes else ""
    return (
        note(
            "cause",
            f"neither a fixed clock nor fixed random numbers make it repeat; {asked}reads of "
            "/dev/urandom and static programs are not reached",
            "give the program an option for its seed, and use it in the query",
        ),
    )


def _seed(tried: Tried) -> tuple[Finding, ...]:
    if not _same(tried.plain):
        return ()  # it would move without another seed
    if tried.seed == tried.plain[0]:
        return (ok("hash seed", "another PYTHONHASHSEED changes nothing"),)
    moved = show_share(tried.seed / tried.plain[0] - 1)
    text = (
        f"another PYTHONHASHSEED moves it by {moved}: both sides are counted at seed 0, and near "
        "the limit at seeds 1 and 2"
    )
    return (note("hash seed", text),)


def _addresses(tried: Tried) -> tuple[Finding, ...]:
    if tried.elsewhere is None or not _same(tried.plain):
        return ()
    if tried.elsewhere == tried.slope:
        return (ok("addresses", f"an ask costs the same when all lies {PAD:,} bytes elsewhere"),)
    moved = show_share(float(tried.elsewhere / tried.slope - 1))
    return (
        note(
            "addresses",
            f"an ask moves by {moved} when all lies {PAD:,} bytes elsewhere: hashes of addresses, "
            "or the layout of what is allocated",
            "no remedy in general: hash names or numbers instead of addresses",
        ),
    )


def _threads() -> tuple[Finding, ...]:
    return (
        note(
            "threads",
            "it runs threads, which take turns as they like",
            "one thread in the query, if the program has an option for that",
        ),
    )


def _same(totals: tuple[int, ...]) -> bool:
    return len(set(totals)) == 1
