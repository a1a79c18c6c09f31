from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from countci.judging import sampled
from countci.model import Limit, Metric, Run, Samples, Status, Wanted
from countci.process import Command
from countci.progress import Silent
from countci.timing import Job, collect

RATE = Metric(name="throughput", unit="requests/s", exact=False, better="higher")
RATIO = Limit(share=0.5, form="ratio")


class Load:
    """A load whose runs are numbered; some of them don't count."""

    def __init__(self, invalid: Callable[[int], bool]) -> None:
        self.runs = 0
        self.turns: list[int] = []
        self.seeds: list[int] = []
        self._invalid = invalid

    def turn(self, number: int) -> None:
        self.turns.append(number)

    def run(self, _command: Command) -> Run:
        self.runs += 1
        if self.turns:
            self.seeds.append(self.turns[-1])
        why = (f"late by {self.runs} µs",) if self._invalid(self.runs) else ()
        values = {"throughput": 100.0}
        return Run(wall=1, user=1, system=0, wait=None, values=values, invalid=why)


def collected(load: Load, pairs: int) -> Samples:
    def wanted(samples: Samples) -> Wanted | None:
        more = pairs - len(samples.pairs)
        return Wanted(block="pairs", more=more) if more else None

    job = Job(
        query="site/web",
        asks=lambda _n: Command(argv=("serve",), env={}, cwd=Path("/")),
        n=1,
        bring=lambda _side: None,
        seed=3,
        progress=Silent(),
        run=load.run,
        turn=load.turn,
    )
    return collect(job, wanted)


def text(samples: Samples, limit: Limit = RATIO) -> str:
    return " | ".join(reason.text for reason in sampled.judge(samples, limit, RATE).reasons)


def test_a_pair_with_an_invalid_run_is_kept_and_taken_again() -> None:
    found = collected(Load(lambda number: number in {4, 9}), 6)

    assert len(found.pairs) == 6
    assert len(found.invalid) == 2
    assert all(pair.valid for pair in found.pairs)
    assert not any(pair.valid for pair in found.invalid)


def test_both_runs_of_a_pair_have_its_number_and_no_other_pair_has_it() -> None:
    load = Load(lambda number: number in {4, 9})

    collected(load, 6)

    assert load.turns == list(range(8))
    assert load.seeds == [number for number in range(8) for _ in range(2)]


def test_pairs_are_taken_again_a_bounded_number_of_times() -> None:
    load = Load(lambda _number: True)

    found = collected(load, 6)

    assert found.pairs == ()
    assert len(found.invalid) == 12
    assert load.runs == 2 + 2 * 12


def test_too_few_valid_pairs_leave_it_unsettled_with_the_reason() -> None:
    samples = collected(Load(lambda number: number > 8), 6)

    change = sampled.judge(samples, RATIO, RATE)

    assert change.status is Status.UNSETTLED
    assert change.pairs == 3
    assert "12 of 15 pairs are invalid, kept and not judged: late by " in text(samples)


def test_no_valid_pair_at_all_is_unsettled_too_and_no_error() -> None:
    samples = collected(Load(lambda _number: True), 6)

    assert sampled.judge(samples, RATIO, RATE).status is Status.UNSETTLED
    assert "12 of 12 pairs are invalid" in text(samples)


def test_pairs_that_were_never_taken_are_an_error() -> None:
    assert sampled.judge(Samples(n=1, pairs=()), RATIO, RATE).status is Status.ERROR


def test_one_reason_of_each_sort_is_told() -> None:
    samples = collected(Load(lambda number: number in {4, 9}), 6)

    assert text(samples).count("late by") == 1
    assert "kept" not in text(replace(samples, invalid=()))
