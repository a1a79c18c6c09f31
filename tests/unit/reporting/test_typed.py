"""Commands that are printed to be pasted."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as some

from countci.reporting.typed import typed

WORDS = some.lists(some.text("ab '\"\\$-/", min_size=1, max_size=30), min_size=1)


@given(words=WORDS, width=some.integers(10, 90))
def test_a_shell_takes_the_lines_as_the_command_that_was_given(
    words: list[str], width: int
) -> None:
    lines = typed(shlex.join(words), width, first="  ", later="    ")

    assert all(line.endswith(" \\") for line in lines[:-1])
    joined = " ".join([*(line[:-2] for line in lines[:-1]), lines[-1]])
    assert shlex.split(joined) == words


def test_a_command_that_fits_is_one_line() -> None:
    assert typed("countci log", 80, first="again: ") == ["again: countci log"]


def test_a_word_too_long_is_left_whole_and_others_stay_within_the_width() -> None:
    lines = typed(f"countci log --config {'x' * 90} --every 2", 60, later="  ")

    assert lines == ["countci log --config \\", f"  {'x' * 90} \\", "  --every 2"]


@pytest.mark.parametrize("command", ["countci 'log", "countci log\\"])
def test_a_command_no_shell_could_read_is_shown_as_it_is(command: str) -> None:
    assert typed(command, 80) == [command]
