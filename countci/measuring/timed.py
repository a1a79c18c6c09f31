"""Timed pairs of every query that asks for them and may have changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import msgspec

import countci.measuring.asking as asking
from countci import judging, process, queries, timing
from countci.errors import CountciError
from countci.measuring.bench import Bench
from countci.model import (
    PEAK_MEMORY,
    Build,
    Comparison,
    Kind,
    MemoryWork,
    OutputWork,
    Problem,
    PythonWork,
    Query,
    Reason,
    Run,
    Samples,
    ServerWork,
)
from countci.placement import Placed, choose
from countci.process import Command
from countci.units import Seconds

_LONGEST = 5.0
"""Seconds that a run is made to last at most, even if its start-up is more than a tenth."""


def add_pairs(bench: Bench, comparison: Comparison, base: Build, head: Build) -> Comparison:
    """Return `comparison` with its timed pairs, or with the problem that kept them from it."""
    query = comparison.query
    sampled = any(not query.metric(name).exact for name in query.metrics)
    wanted = sampled and comparison.kind is Kind.BOTH
    if not wanted or comparison.identity is not None or comparison.problem is not None:
        return comparison
    placed = [_placed(bench, queries.varied(query, side.variant)) for side in (base, head)]
    if cannot := next((each for each in placed if isinstance(each, Reason)), None):
        return msgspec.structs.replace(comparison, unmeasurable=cannot)
    bench.progress.step(f"time {query.id}")
    found = _timed(bench, comparison, base, head)
    return msgspec.structs.replace(found, notes=(*found.notes, *_seats(placed)))


def _timed(bench: Bench, comparison: Comparison, base: Build, head: Build) -> Comparison:
    query = comparison.query
    try:
        bench.bring(head, query)
    except CountciError as error:
        return _failed(comparison, error, "head")
    try:
        n, timer = _prepare(bench, query, base)
    except CountciError as error:
        if query.id not in bench.plan.old and comparison.base is None:
            return _new(bench, comparison, head)
        return _failed(comparison, error, "base")
    try:
        samples = _collect(bench, query, timer, n, (base, head))
    except CountciError as error:
        return _failed(comparison, error, "base or head")
    notes = (*comparison.notes, *_seen(query, samples))
    return msgspec.structs.replace(comparison, samples=samples, notes=notes)


@dataclass(frozen=True, slots=True)
class _Timer:
    """How a query is run and timed, whichever side is on the stage."""

    asks: Callable[[int], Command]
    run: Callable[[Command], Run]
    turn: Callable[[int], None] = lambda _number: None
    found: bool = True
    """Whether the number of asks is found by trying."""


def _placed(bench: Bench, query: Query) -> Placed | Reason | None:
    """Return where its runs are placed, or why that can't be here; None for anywhere."""
    return choose(query.placement, bench.topology) if query.placement else None


def _seats(placed: Sequence[Placed | Reason | None]) -> tuple[Reason, ...]:
    """Return what a reader must know of where both sides ran."""
    texts = [each.text if isinstance(each, Placed) else "anywhere" for each in placed]
    if texts == ["anywhere", "anywhere"]:
        return ()
    both = texts[0] if texts[0] == texts[1] else f"{texts[0]} on base, {texts[1]} on head"
    return (Reason(code="placement", text=f"timed on {both}"),)


def _seen(query: Query, samples: Samples) -> tuple[Reason, ...]:
    """Return what the runs of a server showed beside what is judged; nothing of other queries."""
    if not isinstance(query.work, ServerWork):
        return ()
    from countci import loads

    return loads.notes(query.work.load, samples)


def _timer(bench: Bench, query: Query) -> _Timer:
    """Return how a query is run and timed, where it is placed."""
    timer, placed = _anywhere(bench, query), _placed(bench, query)
    if isinstance(query.work, ServerWork):
        timer = replace(timer, run=partial(_apart, timer.run))
    if not isinstance(placed, Placed):
        return timer
    cpus = placed.cpus if placed.load is None else (*placed.cpus, placed.load)
    return replace(timer, asks=lambda n: replace(timer.asks(n), cpus=cpus))


def _apart(run: Callable[[Command], Run], command: Command) -> Run:
    """Return one run of a server, which shares out with its load what countci itself may use."""
    with process.on_processors(command.cpus):
        return run(replace(command, cpus=()))


def _anywhere(bench: Bench, query: Query) -> _Timer:
    runs = bench.plan.places.runs
    if isinstance(query.work, PythonWork):
        out = runs / "timed.json"
        return _Timer(
            lambda n: queries.runner(query, bench.place, ("--loops", str(n), "--out", str(out))),
            partial(timing.run_inside, out=out),
        )
    if isinstance(query.work, ServerWork):
        from countci.measuring.served import Served

        server = Served(bench, query)
        return _Timer(server.asks, server.run, server.turn, found=False)
    if isinstance(query.work, MemoryWork):
        from countci.measuring.holding import Holding

        holding = Holding(bench, query)
        return _Timer(holding.asks, holding.run, found=False)
    run = partial(timing.run, scratch=runs)
    if isinstance(query.work, OutputWork):
        told = partial(queries.output_values, query)
        run = partial(run, source=query.work.source, told=told)
    return _Timer(asking.asks(bench, query), run)


def _new(bench: Bench, comparison: Comparison, head: Build) -> Comparison:
    """Return a query that base can't run as a new one, once it was seen to run on head."""
    try:
        bench.bring(head, comparison.query)
        timer = _timer(bench, queries.varied(comparison.query, head.variant))
        timer.run(timer.asks(1))
    except CountciError as error:
        return _failed(comparison, error, "head")
    return msgspec.structs.replace(comparison, kind=Kind.NEW)


def _prepare(bench: Bench, query: Query, base: Build) -> tuple[int, _Timer]:
    """Return the number of asks in each run, found on base, and how they are timed."""
    bench.bring(base, query)
    timer = _timer(bench, queries.varied(query, base.variant))
    n = timing.find(
        lambda n: Seconds(timer.run(timer.asks(n)).time),
        repeats=query.work.repeats and timer.found,
        longest=Seconds(min(query.timeout / 2, _LONGEST)),
    )
    return n, timer


def _collect(
    bench: Bench, query: Query, timer: _Timer, n: int, sides: tuple[Build, Build]
) -> Samples:
    """Return pairs until the rule has enough; base and head swap for every run."""
    keys = dict(zip(("base", "head"), (side.key for side in sides), strict=True))
    job = timing.Job(
        query=query.id,
        asks=timer.asks,
        asks_of_head=_timer(bench, queries.varied(query, sides[1].variant)).asks,
        n=n,
        bring=lambda side: bench.stage.swap(keys[side]),
        seed=int(keys["base"][:8], 16) ^ int(keys["head"][:8], 16),
        progress=bench.progress,
        turn=timer.turn,
        run=timing.with_peak(timer.run) if PEAK_MEMORY.name in query.metrics else timer.run,
    )
    return timing.collect(job, lambda samples: judging.wanted_by(samples, query))


def _failed(comparison: Comparison, error: CountciError, side: str) -> Comparison:
    problem = Problem.of(error)
    problem = msgspec.structs.replace(problem, problem=f"{problem.problem} on {side}")
    return msgspec.structs.replace(comparison, problem=problem)
