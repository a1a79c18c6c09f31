from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest

from countci.inside import snapshot
from countci.inside.asks import Apart, Instrument, loop, quiet
from countci.inside.clocks import Ask
from countci.inside.plan import Plan
from countci.inside.snapshot import SnapshotError, Snapshots


@pytest.fixture
def instrument() -> Instrument:
    return Instrument(Snapshots(), "each", None)


def test_each_segment_lies_between_two_snapshots_of_its_own(instrument: Instrument) -> None:
    asked = []

    counted = instrument.count(lambda: asked.append(1), Plan(3, (1, 2, 4)))

    (a, ab), (b, bc), (c, cd) = counted.segments
    assert (a, b, c) == (1, 2, 4)
    assert ab[0][1] == bc[0][0]
    assert bc[0][1] == cd[0][0]
    assert len({ab[0], bc[0], cd[0]}) == 3
    assert sum(asked) >= 3 + 7


def test_both_sides_ask_equally_often_with_and_without_a_plan(instrument: Instrument) -> None:
    def asks(plan: Plan | None) -> int:
        asked: list[int] = []
        instrument.count(lambda: asked.append(1), plan)
        return len(asked)

    chosen = instrument.count(lambda: None).plan

    assert asks(None) == asks(chosen)


def test_prepared_asks_have_a_pair_each_and_are_undone(instrument: Instrument) -> None:
    log = []

    def prepare() -> Apart:
        log.append("made")
        return Apart(lambda: log.append("asked"), lambda: log.append("undone"))

    counted = instrument.count_apart(prepare, Plan(2, (1, 2, 4)))

    assert [segment.asks for segment in counted.segments] == [1, 2, 4]
    assert [len(segment.pairs) for segment in counted.segments] == [1, 2, 4]
    assert counted.empty is not None
    assert log == ["made", "asked", "undone"] * (len(log) // 3)


def test_an_ask_that_raises_leaves_the_collector_as_it_was(instrument: Instrument) -> None:
    def fails() -> None:
        raise KeyError("x")

    with pytest.raises(KeyError):
        instrument.count(fails, Plan(2, (1, 2, 4)))

    assert gc.isenabled()
    assert gc.get_freeze_count() == 0


def test_the_collector_runs_after_each_ask_and_not_by_itself() -> None:
    with quiet():
        ran: list[bool] = []
        loop(lambda: ran.append(gc.isenabled()), 3, gc.collect)

    assert ran == [False] * 3


def test_without_profiles_of_its_own_a_process_cannot_choose(tmp_path: Path) -> None:
    instrument = Instrument(Snapshots(), "each", f"{tmp_path}/cg.%p")

    with pytest.raises(SnapshotError, match="not under cachegrind"):
        instrument.count(lambda: None)


def test_a_snapshots_process_is_another_one_and_gone() -> None:
    snapshots = Snapshots()
    snapshots.take()
    snapshots.idle()
    snapshots.take()

    first, second = snapshots.pids()

    assert len({first, second, os.getpid()}) == 3
    with pytest.raises(ChildProcessError):
        os.waitpid(first, os.WNOHANG)


def test_a_machine_without_our_code_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot, "_CODE", {"z80": (b"", 0)})

    with pytest.raises(SnapshotError, match="only on z80"):
        Snapshots()


def test_a_process_that_ended_badly_is_an_error() -> None:
    snapshots = Snapshots()
    snapshots.take()
    status = 8 + 16  # of the first entry
    snapshots._table[status : status + 4] = (9).to_bytes(4, "little")

    with pytest.raises(SnapshotError, match="snapshot 1: its process ended with status 9"):
        snapshots.pids()


def test_a_fork_that_failed_is_an_error() -> None:
    snapshots = Snapshots()
    snapshots.take()
    snapshots._table[16:24] = (-11).to_bytes(8, "little", signed=True)

    with pytest.raises(SnapshotError, match="fork failed, error 11"):
        snapshots.pids()


@pytest.mark.parametrize(
    ("ask", "sleeps"),
    [
        (Ask(wall=1.0, cpu=0.01, pauses=1), True),
        (Ask(wall=1.0, cpu=0.01, pauses=0), False),
        (Ask(wall=1.0, cpu=0.1, pauses=9), False),
        (Ask(wall=0.001, cpu=0.0, pauses=1), False),
    ],
)
def test_waiting_for_a_processor_is_no_sleep(ask: Ask, *, sleeps: bool) -> None:
    assert ask.sleeps == sleeps
