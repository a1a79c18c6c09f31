from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci.reporting.github import command, defused
from tests.unit.reporting.test_reporters import obeyed

PIECES = st.lists(
    st.sampled_from(
        [":", "::", "#", "##[", "[", "error", " ", "\n", "\r", "\t", "]", "%", "\x1b[0m"]
    )
)


@pytest.mark.parametrize(
    "text",
    [
        "::error::x",
        "  ::error::x",
        "a\n::error::x",
        "a\r\t::x",
        "##[error]x",
        "a ##[error]x",
        "###[x",
    ],
)
def test_a_command_in_foreign_text_is_broken_up(text: str) -> None:
    assert obeyed(text)
    assert not obeyed(defused(text))
    assert defused(text).replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize("text", ["std::vector", "a ::b", "## [x]", "#[test]", "1:2:3", "\x1b[31m"])
def test_what_is_no_command_stays(text: str) -> None:
    assert defused(text) == text


@given(PIECES)
def test_nothing_that_is_defused_is_obeyed(pieces: list[str]) -> None:
    assert not obeyed(defused("".join(pieces)))


def test_data_and_properties_are_escaped() -> None:
    line = command("error", "100%\nnext\r", {"file": "a:b,c%.c", "line": 3, "title": "x\ny"})

    assert line == "::error file=a%3Ab%2Cc%25.c,line=3,title=x%0Ay::100%25%0Anext%0D\n"


def test_empty_properties_are_left_out() -> None:
    assert command("error", "x", {"file": "", "line": 0}) == "::error::x\n"


@given(PIECES, PIECES)
def test_a_command_is_one_line_whatever_is_in_it(data: list[str], title: list[str]) -> None:
    line = command("warning", "".join(data), {"title": "".join(title)})

    assert obeyed(line) == [line.removesuffix("\n")]
    assert "##[" not in line
    assert "\r" not in line
