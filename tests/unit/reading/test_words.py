from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci.errors import UsageError
from countci.reading import words


def test_words_are_split_as_a_shell_splits_them() -> None:
    command = "build/bank ask 'a b' \"c d\" e\\ f --repeat {n}"

    assert words.split(command, where="f:1") == (
        *("build/bank", "ask", "a b", "c d", "e f", "--repeat", "{n}"),
    )


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("make && make install", "&& in a command"),
        ("cat a | wc", "| in a command"),
        ("bank > out", "> in a command"),
        ("bank 2>&1", "2>& in a command"),
        ("bank < in", "< in a command"),
        ("a; b", "; in a command"),
        ("a &", "& in a command"),
        ("bank $HOME/x", "$HOME in a command"),
        ('bank "$HOME/x"', "$HOME in a command"),
        ("bank ${HOME}", "${HOME in a command"),
        ("bank $(date)", "$(date in a command"),
        ("bank `date`", "` in a command"),
        ("make\nmake install", "a new line in a command"),
        ("CC=gcc make", "CC=gcc in front of a command"),
    ],
)
def test_what_only_a_shell_does_is_refused_with_the_remedy(command: str, shown: str) -> None:
    with pytest.raises(UsageError) as caught:
        words.split(command, where="countci.toml:1")

    assert shown in caught.value.problem
    assert "sh -c" in caught.value.detail or "env CC=gcc" in caught.value.detail


@pytest.mark.parametrize(
    "command",
    [
        "sh -c 'a && b > c; echo $HOME `date`'",
        'bank "a && b"',
        "bank a\\&b",
        "bank 100$ --name=x a=b",
        "env CC=gcc make",
        "  make  \n",
    ],
)
def test_what_is_quoted_or_means_nothing_to_a_shell_is_an_argument(command: str) -> None:
    assert words.split(command, where="f:1") == tuple(shlex.split(command))


@pytest.mark.parametrize("command", ["bank 'open", 'bank "open', "", "   ", "'' x", "a\0b"])
def test_a_command_that_cant_be_started_is_refused_with_its_place(command: str) -> None:
    with pytest.raises(UsageError) as caught:
        words.split(command, where="countci.toml:7")

    assert str(caught.value).startswith("countci.toml:7: ")


@given(st.lists(st.text(st.characters(exclude_characters="\0"), min_size=1), min_size=1))
def test_quoted_words_of_any_text_come_back(argv: list[str]) -> None:
    assert words.split("program " + shlex.join(argv), where="f:1") == ("program", *argv)


@given(st.text())
def test_any_text_is_split_or_refused(command: str) -> None:
    found: tuple[str, ...] = ()
    refused = ""
    try:
        found = words.split(command, where="f:1")
    except UsageError as error:
        refused = str(error)

    assert found or refused.startswith("f:1: ")
