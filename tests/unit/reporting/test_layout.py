from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from countci.reporting.clean import lines, one_line
from countci.reporting.layout import Column, Part, cut, table, width_of, wrap

TEXT = st.text(st.characters(codec="utf-8")).map(one_line)


def column(title: str, *texts: str, right: bool = False) -> Column:
    return Column(title=title, cells=tuple(Part(text=text) for text in texts), right=right)


def shown(*columns: Column, width: int = 80) -> list[str]:
    return ["".join(part.text for part in line) for line in table(columns, width=width)]


def test_columns_line_up_words_left_and_numbers_right() -> None:
    names = column("query", "a", "long_name")
    numbers = column("n", "1", "200", right=True)

    assert shown(names, numbers) == [
        "query        n",
        "a            1",
        "long_name  200",
    ]
    assert width_of([names, numbers]) == 14


def test_a_column_without_entries_is_left_out() -> None:
    assert shown(column("query", "a"), column("pairs", "")) == ["query", "a    "]


def test_names_give_way_and_numbers_never_do() -> None:
    found = shown(column("query", "bank/per_branch_of_year"), column("n", "1" * 30), width=44)

    assert found[1] == "bank/p…_year  " + "1" * 30


def test_a_name_keeps_eight_cells_however_narrow_it_is() -> None:
    found = shown(column("query", "bank/per_branch"), column("n", "1" * 30), width=20)

    assert found[1] == "bank…nch  " + "1" * 30


def test_wide_characters_count_twice() -> None:
    assert shown(column("query", "銀行", "a"), column("n", "1", "2"))[1:] == [
        "銀行   1",
        "a      2",
    ]


def test_later_lines_are_indented_and_nothing_is_lost() -> None:
    assert wrap("one two three four", 10, first="- ", later="  ") == [
        "- one two",
        "  three",
        "  four",
    ]


def test_a_number_stays_with_its_unit() -> None:
    assert wrap("limit 3\N{NO-BREAK SPACE}%", 8) == ["limit", "3\N{NO-BREAK SPACE}%"]


def test_a_word_that_is_too_long_goes_on_in_the_next_line() -> None:
    assert wrap("abcdefgh", 5) == ["abcde", "fgh"]


@given(TEXT, st.integers(20, 100))
def test_wrapped_text_is_whole_and_fits(text: str, width: int) -> None:
    found = wrap(text, width, first="! ", later="    ")

    assert all(cell_len(line) <= width for line in found)
    squeezed = "".join(line[2:] if number == 0 else line[4:] for number, line in enumerate(found))
    assert squeezed.replace(" ", "") == text.replace(" ", "")


@given(TEXT, st.integers(3, 60))
def test_a_cut_text_fits_and_keeps_both_ends(text: str, width: int) -> None:
    found = cut(text, width)

    assert cell_len(found) <= width
    assert found == text or "…" in found


def test_the_colours_of_a_compiler_are_taken_out_of_its_lines() -> None:
    text = "\x1b[01m\x1b[Kbank.c:3:\x1b[m error\r\n\tint x\n\n"

    assert lines(text) == ["bank.c:3: error", "        int x"]
    assert lines(" \n ") == []
