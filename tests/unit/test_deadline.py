"""A time limit of a whole run: what runs is ended, what comes later isn't begun."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from countci import process
from countci.errors import MeasureError
from countci.process import Command, Finished, Spent
from countci.units import Seconds

Start: TypeAlias = Callable[[Command], Finished | Spent]
OVER = Seconds(1.0)
ENV = {"PATH": "/usr/bin:/bin"}
BOTH = pytest.mark.parametrize("start", [process.run, process.timed])


def command(*argv: str, timeout: Seconds | None = None) -> Command:
    return Command(argv=argv, env=ENV, cwd=Path("/"), timeout=timeout)


@BOTH
def test_what_still_runs_at_the_end_is_ended_and_called_not_measured(
    start: Start,
) -> None:
    with process.within(Seconds(0.05)) as deadline, pytest.raises(MeasureError) as caught:
        start(command("sleep", "1000"))

    assert caught.value.problem == "not measured within 50.0\N{NO-BREAK SPACE}ms"
    assert caught.value.where == "sleep 1000"
    assert deadline.cut


@BOTH
def test_nothing_begins_after_the_end(start: Start, tmp_path: Path) -> None:
    with process.within(Seconds(0.0)), pytest.raises(MeasureError):
        start(command("touch", str(tmp_path / "made")))

    assert not (tmp_path / "made").exists()


@BOTH
def test_a_programs_own_limit_is_still_its_own(start: Start) -> None:
    with process.within(Seconds(1000.0)) as deadline, pytest.raises(MeasureError) as caught:
        start(command("sleep", "1000", timeout=Seconds(0.05)))

    assert "still running" in caught.value.problem
    assert not deadline.cut


def test_the_limit_ends_with_its_block_whatever_happened_there() -> None:
    with pytest.raises(MeasureError), process.within(Seconds(0.0)):
        process.run(command("true"))

    assert process.run(command("true")).status == 0


def test_no_limit_is_no_end() -> None:
    with process.within(None) as deadline:
        assert process.run(command("true")).status == 0

    assert not deadline.cut
