from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from countci.model import Run, Samples, Wanted
from countci.process import Command
from countci.progress import Silent
from countci.timing.session import Job, collect


@dataclass
class Machine:
    """A stage and a clock: a run takes as many seconds as runs were before it."""

    sides: list[str] = field(default_factory=list)
    brought: str = ""
    asked: list[int] = field(default_factory=list)
    progress: list[tuple[int, int | None]] = field(default_factory=list)

    def bring(self, side: str) -> None:
        self.brought = side

    def command(self, n: int) -> Command:
        self.asked.append(n)
        return Command(argv=("ask", str(n)), env={}, cwd=Path("/"))

    def run(self, command: Command) -> Run:
        assert command.argv == ("ask", "7")
        assert self.brought
        self.sides.append(self.brought)
        self.brought = ""  # each run needs its side brought again
        return Run(wall=len(self.sides), user=0, system=0, wait=0)

    def step(self, name: str) -> None:
        raise AssertionError(name)

    def advance(self, what: str, done: int, of: int | None = None) -> None:
        assert what == "bank/field"
        self.progress.append((done, of))


@pytest.fixture
def machine() -> Machine:
    return Machine()


def job(machine: Machine) -> Job:
    return Job(
        query="bank/field",
        asks=machine.command,
        n=7,
        bring=machine.bring,
        seed=3,
        progress=machine,
        run=machine.run,
    )


def sizes(pairs: int, confirming: int = 0, control: int = 0) -> Callable[[Samples], Wanted | None]:
    """Return a rule that wants so many of each, in this order."""

    def wanted(samples: Samples) -> Wanted | None:
        blocks = (
            ("pairs", samples.pairs, pairs),
            ("confirming", samples.confirming, confirming),
            ("control", samples.control, control),
        )
        for name, found, size in blocks:
            if len(found) < size:
                return Wanted(block=name, more=size - len(found))  # type: ignore[arg-type]
        return None

    return wanted


def test_the_warm_up_runs_are_not_recorded(machine: Machine) -> None:
    samples = collect(job(machine), sizes(2))

    assert machine.sides[:2] == ["base", "head"]
    assert min(pair.base.wall for pair in samples.pairs) > 2
    assert len(machine.sides) == 2 + 4


def test_each_pair_holds_its_sides_and_which_ran_first(machine: Machine) -> None:
    samples = collect(job(machine), sizes(10))

    for pair in samples.pairs:
        assert machine.sides[int(pair.base.wall) - 1] == "base"
        assert machine.sides[int(pair.head.wall) - 1] == "head"
        assert pair.head_first is (pair.head.wall < pair.base.wall)
        assert abs(pair.head.wall - pair.base.wall) == 1
    assert sum(pair.head_first for pair in samples.pairs) == 5


def test_pairs_come_in_time_order_block_by_block(machine: Machine) -> None:
    samples = collect(job(machine), sizes(2, 4, 2))
    walls = [
        min(pair.base.wall, pair.head.wall)
        for pair in samples.pairs + samples.confirming + samples.control
    ]

    assert walls == sorted(walls)
    assert (len(samples.pairs), len(samples.confirming), len(samples.control)) == (2, 4, 2)


def test_the_control_runs_base_on_both_sides(machine: Machine) -> None:
    collect(job(machine), sizes(2, 2, 10))

    assert set(machine.sides[-20:]) == {"base"}


def test_the_rule_is_asked_again_after_each_block(machine: Machine) -> None:
    seen: list[int] = []

    def wanted(samples: Samples) -> Wanted | None:
        seen.append(len(samples.pairs))
        return Wanted(block="pairs", more=2) if len(samples.pairs) < 6 else None

    assert collect(job(machine), wanted).n == 7
    assert seen == [0, 2, 4, 6]


def test_the_command_is_made_once_for_all_runs(machine: Machine) -> None:
    collect(job(machine), sizes(10))

    assert machine.asked == [7]


def test_a_head_of_another_variant_is_asked_by_its_own_command(machine: Machine) -> None:
    asked: dict[str, set[tuple[str, ...]]] = {"base": set(), "head": set()}

    def run(command: Command) -> Run:
        asked[machine.brought].add(command.argv)
        return machine.run(replace(command, argv=("ask", "7")))

    own = Command(argv=("own", "7"), env={}, cwd=Path())
    collect(replace(job(machine), asks_of_head=lambda _: own, run=run), sizes(4, 2, 2))

    assert asked["head"] == {own.argv}
    assert own.argv not in asked["base"]
    assert len(asked["base"]) == 1


def test_progress_counts_all_pairs(machine: Machine) -> None:
    collect(job(machine), sizes(2, 2))

    assert machine.progress == [(1, 2), (2, 2), (3, 4), (4, 4)]


def test_real_programs_are_timed(tmp_path: Path) -> None:
    real = Job(
        query="bank/field",
        asks=lambda _: Command(argv=("/bin/true",), env={}, cwd=tmp_path),
        n=1,
        bring=lambda _: None,
        seed=1,
        progress=Silent(),
    )

    assert all(pair.base.wall > 0 < pair.head.wall for pair in collect(real, sizes(2)).pairs)
