from __future__ import annotations

import os
from pathlib import Path

import pytest

from countci.errors import MeasureError
from countci.memory import Held, parse, quiet
from countci.memory.held import read, together
from countci.units import Seconds

KIB = 1024
ROLLUP = """\
55d0c2400000-7ffd3a5f2000 ---p 00000000 00:00 0                          [rollup]
Rss:                2752 kB
Pss:                1311 kB
Pss_Dirty:          1296 kB
Shared_Clean:       1440 kB
Private_Clean:        16 kB
Private_Dirty:      1296 kB
"""
STATUS = "Name:\thost\nThreads:\t2\nSigQ:\t0/1\n"
HOST = Held(private_dirty=1296 * KIB, pss=1311 * KIB, rss=2752 * KIB, threads=2)


def test_what_the_kernel_tells_of_a_process_is_read() -> None:
    assert parse(ROLLUP, STATUS, name="host") == HOST


@pytest.mark.parametrize(
    ("rollup", "status"),
    [("", STATUS), (ROLLUP, "Name:\thost\n"), (ROLLUP.replace("Private_Dirty", "Dirty"), STATUS)],
)
def test_what_is_missing_is_an_error_and_not_nothing(rollup: str, status: str) -> None:
    with pytest.raises(MeasureError, match="doesn't tell") as caught:
        parse(rollup, status, name="host 10")

    assert caught.value.where == "host 10"


def test_processes_are_added(tmp_path: Path) -> None:
    for pid in (7, 8):
        (tmp_path / str(pid)).mkdir()
        (tmp_path / str(pid) / "smaps_rollup").write_text(ROLLUP)
        (tmp_path / str(pid) / "status").write_text(STATUS)

    assert read([7, 8], name="host", proc=tmp_path) == together([HOST, HOST])
    assert together([HOST, HOST]).threads == 4


def test_a_process_that_has_ended_is_named(tmp_path: Path) -> None:
    with pytest.raises(MeasureError, match="process 9 holds can't be read: No such file"):
        read([9], name="host", proc=tmp_path)


def test_this_process_itself_holds_something() -> None:
    found = read([os.getpid()], name="us")

    assert 0 < found.private_dirty <= found.rss
    assert found.threads >= 1


def looks(*private: int) -> list[Held]:
    return [Held(private_dirty=each, pss=each, rss=each, threads=1) for each in private]


def test_it_is_quiet_once_two_looks_see_the_same() -> None:
    seen = iter(looks(1, 2, 3, 3, 9))

    assert quiet(lambda: next(seen), within=Seconds(60.0), name="host").private_dirty == 3


def test_what_never_gets_quiet_is_an_error_that_says_how_it_moves() -> None:
    seen = iter(looks(*range(0, 100 * KIB, KIB)))

    with pytest.raises(MeasureError, match=r"still moved by 1.KiB") as caught:
        quiet(lambda: next(seen), within=Seconds(0.0), name="host 10")
    assert "ready.within" in caught.value.detail
