from __future__ import annotations

from pathlib import Path

import pytest

from countci.builds.recipe import arguments, last_lines, run
from countci.errors import MeasureError, UsageError
from countci.model import Recipe
from countci.units import Seconds

from .making import ENV, make_places


def run_in(tmp_path: Path, *commands: str, timeout: float = 60.0) -> Path:
    places = make_places(tmp_path)
    places.stage.mkdir()
    recipe = Recipe(commands=commands, timeout=Seconds(timeout))
    run(recipe, places, ENV, places.logs / "k.log", name="v1")
    return places.logs / "k.log"


def test_words_are_split_first_and_filled_in_then(tmp_path: Path) -> None:
    places = make_places(tmp_path / "with space")

    words = arguments("a 'b c' {build}/x --q={queries} {{n}} $HOME *", places)

    assert words == (
        *("a", "b c", f"{places.stage}/x", f"--q={places.queries}"),
        *("{n}", "$HOME", "*"),
    )


@pytest.mark.parametrize(
    "command", ["make {query}", "awk '{print}'", "find {}", "{ a", "a 'b", "", " "]
)
def test_a_command_that_cannot_be_meant_is_refused(tmp_path: Path, command: str) -> None:
    with pytest.raises(UsageError) as caught:
        arguments(command, make_places(tmp_path))

    assert caught.value.detail


def test_the_log_holds_each_command_and_both_of_its_outputs_in_order(tmp_path: Path) -> None:
    log = run_in(tmp_path, "sh -c 'echo one; echo two >&2; echo three'", "pwd")

    assert log.read_text() == (
        "$ sh -c 'echo one; echo two >&2; echo three'\none\ntwo\nthree\n"
        f"$ pwd\n{tmp_path}/cache/stage\n"
    )


def test_a_failure_shows_the_last_40_lines_and_where_the_rest_is(tmp_path: Path) -> None:
    with pytest.raises(MeasureError, match="the build failed: exit status 3") as caught:
        run_in(tmp_path, "sh -c 'seq 100; exit 3'", "touch never")

    lines = caught.value.detail.splitlines()
    log = tmp_path / "cache" / "logs" / "k.log"
    assert lines == [*map(str, range(61, 101)), "", f"the whole log: {log}"]
    assert caught.value.where == "build of v1: sh -c 'seq 100; exit 3'"
    assert len(log.read_text().splitlines()) == 101
    assert not (tmp_path / "cache" / "stage" / "never").exists()


@pytest.mark.parametrize(
    ("command", "problem"),
    [("no-such-program", "can't be started"), ("sleep 60", "still running after 0.2")],
)
def test_what_does_not_start_or_end_is_an_error(tmp_path: Path, command: str, problem: str) -> None:
    with pytest.raises(MeasureError, match=problem):
        run_in(tmp_path, command, timeout=0.2)


def test_no_line_of_an_error_is_endless(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_bytes(b"first\n" + b"x" * 200_000 + b"\n\xff\n")

    assert last_lines(log) == f"{'x' * 400}\n\N{REPLACEMENT CHARACTER}"
