from __future__ import annotations

from pathlib import Path

import pytest

from countci.process import Member
from countci.serving import cpu_of, threads_between, threads_of


def task(
    root: Path, pid: int, number: int, name: str, *, cpu: int, voluntary: int, involuntary: int = 0
) -> None:
    folder = root / str(pid) / "task" / str(number)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "schedstat").write_text(f"{cpu} {cpu // 2} 7\n")
    (folder / "status").write_text(
        f"Name:\t{name}\nThreads:\t9\nvoluntary_ctxt_switches:\t{voluntary}\n"
        f"nonvoluntary_ctxt_switches:\t{involuntary}\n"
    )


def member(pid: int) -> Member:
    return Member(pid=pid, began=0, command="server")


def test_switches_are_those_of_all_threads_and_not_of_the_main_one(tmp_path: Path) -> None:
    task(tmp_path, 5, 5, "main", cpu=10, voluntary=8)
    task(tmp_path, 5, 6, "worker", cpu=10, voluntary=500, involuntary=2)
    task(tmp_path, 5, 7, "worker", cpu=10, voluntary=450, involuntary=1)
    before = threads_of([member(5)], root=tmp_path)
    task(tmp_path, 5, 5, "main", cpu=1_000_000_010, voluntary=9)
    task(tmp_path, 5, 6, "worker", cpu=2_000_000_010, voluntary=1000, involuntary=5)
    task(tmp_path, 5, 7, "worker", cpu=3_000_000_010, voluntary=950, involuntary=1)

    worker, main = threads_between(before, threads_of([member(5)], root=tmp_path))

    assert (worker.name, worker.count, worker.cpu) == ("worker", 2, 5.0)
    assert (worker.voluntary, worker.involuntary) == (1000, 3)
    assert worker.waiting == 2.5
    assert (main.name, main.cpu, main.voluntary) == ("main", 1.0, 1)


def test_thread_that_started_under_load_counts_from_nothing(tmp_path: Path) -> None:
    task(tmp_path, 5, 8, "late", cpu=500_000_000, voluntary=3)

    (late,) = threads_between({}, threads_of([member(5)], root=tmp_path))

    assert (late.cpu, late.voluntary) == (0.5, 3)


def test_process_that_is_gone_has_no_threads(tmp_path: Path) -> None:
    assert threads_of([member(4)], root=tmp_path) == {}
    assert cpu_of([member(4)], root=tmp_path) == (0.0, 0.0)


def test_cpu_time_holds_that_of_children_that_ended(tmp_path: Path) -> None:
    (tmp_path / "5").mkdir()
    fields = ["S", *["0"] * 10, "100", "50", "200", "25", *["0"] * 5]
    (tmp_path / "5" / "stat").write_text(f"5 (a (b) c) {' '.join(fields)}\n")

    user, system = cpu_of([member(5)], root=tmp_path)

    assert user == pytest.approx(4 * system)
    assert system > 0
