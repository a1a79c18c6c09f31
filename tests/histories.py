"""Literal commits and histories: no clock, machine or repository in them."""

from __future__ import annotations

from collections.abc import Sequence

from countci.model import (
    Bisection,
    Commit,
    Entry,
    Fingerprint,
    History,
    Problem,
    Reading,
    Reason,
    Revision,
    Step,
)
from countci.units import Seconds

FINGERPRINT = Fingerprint(
    counter="1", valgrind="3.19.0", libc="glibc2.36", machine="x86_64", cpu="x86-64-v3", stage="/s"
)


def commit(number: int, *parents: int, subject: str = "") -> Commit:
    """Return the commit of that number; the one before it is its parent unless others are named."""
    sha = f"{number:07x}".ljust(40, "0")
    before = parents or ((number - 1,) if number else ())
    return Commit(
        revision=Revision(
            name=sha[:10],
            sha=sha,
            tree=sha[::-1],
            subject=subject or f"Commit {number}",
            when=1_700_000_000 + 86_400 * number,
        ),
        parents=tuple(f"{each:07x}".ljust(40, "0") for each in before),
        authored=1_700_000_000 + 86_400 * number,
    )


def step(query: str, numbers: tuple[float, float], *suspects: Commit) -> Step:
    """Return the step that the last of `suspects` shows."""
    base, head = numbers
    first = int(suspects[0].sha[:7], 16)
    return Step(
        query=query,
        before=commit(first - 1),
        commit=suspects[-1],
        suspects=suspects,
        base=base,
        head=head,
        delta=head / base - 1,
    )


def entry(number: int, reading: float | None, before: float | None, first: float) -> Entry:
    """Return a commit with a number of `json/parse`, or with none."""
    if reading is None:
        problem = Problem(problem="killed by signal 6 (SIGABRT)", where="./run parse 3")
        return Entry(
            commit=commit(number),
            build=f"b{number}",
            readings={"json/parse": Reading(problem=problem)},
        )
    change = None if before is None else reading / before - 1
    return Entry(
        commit=commit(number),
        build=f"b{number}",
        readings={"json/parse": Reading(per_ask=reading, change=change, since=reading / first - 1)},
    )


def history(entries: Sequence[Entry], steps: Sequence[Step] = ()) -> History:
    """Return a history of `json/parse`."""
    return History(
        countci="1.0",
        range="v1..v2",
        metric="instructions",
        limit=0.001,
        queries=("json/parse",),
        entries=tuple(entries),
        steps=tuple(steps),
        fingerprint=FINGERPRINT,
        suites="s",
        seconds=Seconds(12.5),
        command="countci log v1..v2",
    )


MOVED = history(
    [
        entry(1, 6_694_312.0, None, 6_694_312.0),
        entry(2, 6_694_312.0, 6_694_312.0, 6_694_312.0),
        entry(3, 6_942_916.0, 6_694_312.0, 6_694_312.0),
        entry(4, None, None, 6_694_312.0),
        Entry(
            commit=commit(5, subject="Broken | <b>half</b> a \x1b[31mcommit"),
            build="b5",
            problem=Problem(problem="exit status 2", where="make", detail="no rule"),
        ),
        entry(6, 6_500_000.0, 6_942_916.0, 6_694_312.0),
    ],
    [
        step("json/parse", (6_694_312.0, 6_942_916.0), commit(3)),
        step("json/parse", (6_942_916.0, 6_500_000.0), commit(4), commit(5), commit(6)),
    ],
)
"""Two steps, one of which has three suspects; a query that fails, a commit that isn't built."""

NOTICED = Reason(code="base-unreadable", text="base's own query files can't be read")

FOUND = Bisection(
    countci="1.0",
    query="json/parse",
    metric="instructions",
    limit=0.001,
    good=commit(1),
    bad=commit(6),
    base=6_694_312.0,
    head=6_500_000.0,
    delta=6_500_000 / 6_694_312 - 1,
    commits=5,
    entries=MOVED.entries[:1] + MOVED.entries[2:],
    steps=MOVED.steps,
    rest=0.0,
    fingerprint=FINGERPRINT,
    suites="s",
    seconds=Seconds(3.0),
)
