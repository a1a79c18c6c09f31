from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from countci.builds import Places, hold
from countci.errors import MeasureError, UsageError
from countci.units import Seconds

from .making import make_places


def never(who: str) -> None:
    raise AssertionError(f"waited for {who}")


def is_free(places: Places) -> bool:
    with places.lock.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def test_the_second_is_told_once_who_the_first_is_and_then_gets_its_turn(tmp_path: Path) -> None:
    places = make_places(tmp_path)
    heard: list[str] = []
    told, done = threading.Event(), threading.Event()

    def listen(who: str) -> None:
        heard.append(who)
        told.set()

    def second() -> None:
        with hold(places, listen):
            done.set()

    with hold(places, never, "countci compare v1 v2"):
        thread = threading.Thread(target=second)
        thread.start()
        assert told.wait(10)
        assert not done.is_set()
    thread.join(10)

    assert done.is_set()
    assert len(heard) == 1
    assert heard[0].startswith(f"process {os.getpid()}, since 2")
    assert heard[0].endswith(": countci compare v1 v2")


def test_who_has_no_time_left_does_not_wait_for_ever(tmp_path: Path) -> None:
    places = make_places(tmp_path)
    heard: list[str] = []

    with (
        hold(places, never, "countci compare v1 v2"),
        pytest.raises(MeasureError, match="another countci holds") as caught,
        hold(places, heard.append, longest=Seconds(0.06)),
    ):
        pass

    assert len(heard) == 1
    assert "not free within 60.0\N{NO-BREAK SPACE}ms" in caught.value.problem
    assert caught.value.where.endswith(": countci compare v1 v2")
    assert "--max-time" in caught.value.detail
    assert is_free(places)


def test_a_free_lock_is_had_even_without_time(tmp_path: Path) -> None:
    with hold(make_places(tmp_path), never, longest=Seconds(0.0)):
        pass


def test_a_shorter_name_leaves_nothing_of_a_longer_one(tmp_path: Path) -> None:
    places = make_places(tmp_path)
    with hold(places, never, "countci " + "x" * 5000):
        assert places.lock.stat().st_size == 1000
    with hold(places, never, "countci y"):
        assert places.lock.read_text().endswith(": countci y\n")


def test_the_lock_ends_with_the_block_even_after_an_error(tmp_path: Path) -> None:
    places = make_places(tmp_path)

    def fail() -> None:
        with hold(places, never):
            assert not is_free(places)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert is_free(places)


def test_a_child_that_lives_on_does_not_hold_it(tmp_path: Path) -> None:
    places = make_places(tmp_path)
    with hold(places, never):
        child = subprocess.Popen(
            [sys.executable, "-c", "print('up', flush=True); input()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            close_fds=False,
        )
        # The kernel wakes us before it has closed what the child doesn't inherit.
        assert child.stdout is not None
        assert child.stdout.readline() == b"up\n"
    try:
        assert is_free(places)
    finally:
        child.communicate(b"\n")


def test_a_lock_that_cannot_be_had_names_the_remedy(tmp_path: Path) -> None:
    places = make_places(tmp_path)
    places.lock.mkdir()

    with pytest.raises(UsageError, match="can't be locked") as caught, hold(places, never):
        pass

    assert "--cache-dir" in caught.value.detail
