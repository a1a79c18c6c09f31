"""Timed runs as pyperf files, so that pyperf's own commands read them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from countci.model import TIME, Comparison, Pair, Samples

if TYPE_CHECKING:
    import pyperf  # type: ignore[import-untyped]

Side = Literal["base", "head"]
Metadata = dict[str, str | int | float]
_MACHINE = ("aslr", "cpu_config", "cpu_count", "cpu_model_name", "hostname", "platform")
"""What pyperf says of the machine; the rest of it is about the Python that runs countci."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where a pair stands among a query's pairs."""

    block: str
    number: int
    """From 1, over all blocks."""


def write(comparisons: Iterable[Comparison], *, base: Path, head: Path) -> bool:
    """Write a pyperf file for each side, and return whether there was anything to write.

    The benchmarks have the same names in both, the queries' ids; a value is seconds per ask.
    Queries without pairs, or whose pairs aren't of their time, are left out. The null control
    isn't in them: it has no head.
    """
    timed = [
        (each.query.id, each.samples)
        for each in comparisons
        if TIME.name in each.query.metrics and each.samples is not None and each.samples.pairs
    ]
    if not timed:
        return False
    machine = _machine()
    _dump([_benchmark(name, samples, "base", machine) for name, samples in timed], base)
    _dump([_benchmark(name, samples, "head", machine) for name, samples in timed], head)
    return True


def _benchmark(name: str, samples: Samples, side: Side, machine: Metadata) -> pyperf.Benchmark:
    import pyperf

    runs = []
    for place, pair in _in_order(samples):
        seconds = pair.times[side == "head"] / samples.n
        metadata = {**machine, **_metadata(place, pair, side)}
        metadata |= {"name": name, "unit": "second", "loops": samples.n}
        runs.append(pyperf.Run([seconds], metadata=metadata, collect_metadata=False))
    return pyperf.Benchmark(runs)


def _in_order(samples: Samples) -> Iterator[tuple[_Place, Pair]]:
    number = 0
    for block, pairs in (("pairs", samples.pairs), ("confirming", samples.confirming)):
        for pair in pairs:
            number += 1
            yield _Place(block=block, number=number), pair


def _metadata(place: _Place, pair: Pair, side: Side) -> Metadata:
    run = pair.base if side == "base" else pair.head
    first = pair.head_first == (side == "head")
    about: Metadata = {
        "date": datetime.fromtimestamp(run.began, UTC).replace(tzinfo=None).isoformat(" "),
        "duration": run.wall,
        "pair": place.number,
        "block": place.block,
        "order": "first" if first else "second",
        "clock": "wall" if pair.on_wall_clock else "wall - run_queue_wait",
        "wall_time": run.wall,
        "cpu_time": run.user + run.system,
        "user_time": run.user,
        "system_time": run.system,
        "core_share": run.core_share,
        "voluntary_context_switches": run.voluntary,
        "involuntary_context_switches": run.involuntary,
        "page_faults": run.faults,
        "command_max_rss": run.peak_memory,
        "processor": run.processor,
    }
    if run.wait is not None:
        about["run_queue_wait"] = run.wait
    return about


def _machine() -> Metadata:
    import pyperf

    found = pyperf.Run([1.0], collect_metadata=True).get_metadata()
    return {name: found[name] for name in _MACHINE if name in found}


def _dump(benchmarks: Sequence[pyperf.Benchmark], path: Path) -> None:
    import pyperf

    # Written beside it and renamed: a killed countci leaves no half file. pyperf packs *.gz.
    unfinished = path.with_name(f".{path.name}.unfinished.json")
    pyperf.BenchmarkSuite(list(benchmarks)).dump(str(unfinished), replace=True)
    unfinished.replace(path)
