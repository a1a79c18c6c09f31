from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci.errors import UsageError
from countci.reading.positions import line_numbers
from countci.reading.spelling import did_you_mean, listed
from countci.reading.toml import decode, parse, scalar


class Table(msgspec.Struct, rename="kebab", forbid_unknown_fields=True):
    first_key: str
    numbers: tuple[int, ...] = ()


def problem(text: str) -> str:
    with pytest.raises(UsageError) as caught:
        decode(parse(text.encode(), file="a.toml"), Table)
    return f"{caught.value.where}: {caught.value.problem}"


def test_an_unknown_key_is_named_with_its_line_and_what_was_meant() -> None:
    text = '\nfirst-kye = "x"\n'

    assert problem(text) == 'a.toml:2: first-kye: no such key; did you mean "first-key"?'


def test_a_missing_key_is_named() -> None:
    assert problem("numbers = [1]") == "a.toml: first-key: missing"


def test_a_wrong_type_is_named_in_the_words_of_toml() -> None:
    text = "# a comment\nfirst-key = 3"

    assert problem(text) == "a.toml:2: first-key: expected string, got integer"


def test_a_wrong_item_of_an_array_is_found_at_its_key() -> None:
    text = 'first-key = "x"\nnumbers = [1, "2"]'

    assert problem(text) == "a.toml:2: numbers: expected integer, got string"


def test_a_syntax_error_has_its_line() -> None:
    assert problem('first-key = "x"\nnumbers = \n').startswith("a.toml:2: invalid value")


def test_a_file_that_breaks_off_has_its_last_line() -> None:
    assert problem('first-key = "x"\nnumbers = [1,').startswith("a.toml:2: ")


def test_a_file_in_another_encoding_has_its_line() -> None:
    with pytest.raises(UsageError, match="not UTF-8") as caught:
        parse(b"a = 1\nb = '\xe4'", file="a.toml")

    assert caught.value.where == "a.toml:2"


@pytest.mark.parametrize(
    "text", ["a = " + "[" * 10000, "a = " + "9" * 5000, "a = 2020-13-45", "\ufeffa = 1"]
)
def test_hostile_values_are_refused_with_the_file(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(text.encode(), file="a.toml")

    assert caught.value.where.startswith("a.toml")


def test_the_root_of_a_shared_file_is_part_of_the_place() -> None:
    document = parse(b"[tool.countci]\nx = 1\n", file="pyproject.toml", root=("tool", "countci"))

    assert document.table == {"x": 1}
    assert str(document.wrong("no", "x")) == "pyproject.toml:2: tool.countci.x: no"


def test_a_root_that_is_no_table_is_an_error() -> None:
    with pytest.raises(UsageError, match=r"tool\.countci: expected a table"):
        parse(b"[tool]\ncountci = 1\n", file="pyproject.toml", root=("tool", "countci"))


@pytest.mark.parametrize("value", ["true", "-1", "1979-05-27", "[1]", "{}", "0x" + "f" * 5000])
def test_only_text_and_numbers_of_a_usual_size_are_scalars(value: str) -> None:
    document = parse(f"x = {value}".encode(), file="a.toml")

    with pytest.raises(UsageError, match=r"^a\.toml:1: x: "):
        scalar(document, document.table["x"], "x")


def test_every_way_to_write_a_key_has_its_line() -> None:
    text = (
        'a = 1\n[b]\nc.d = 2\n"e f" = 3 # x = y\n[b."g.h"]\n  i=4\n[[list]]\nj = 5\n'
        "[ k . l ]\nm = [\n  'x = 1',\n]\n"
    )

    lines = line_numbers(text)

    assert lines["a",] == 1
    assert lines["b", "c", "d"] == 3
    assert lines["b", "e f"] == 4
    assert lines["b", "g.h", "i"] == 6
    assert lines["list", "j"] == 8
    assert lines["k", "l", "m"] == 10


def test_a_key_without_a_line_of_its_own_has_the_line_of_what_it_stands_in() -> None:
    document = parse(b"a = 1\nlimit = {time = 1}\n", file="a.toml")

    assert document.where("limit", "time") == "a.toml:2"
    assert document.where("elsewhere") == "a.toml"


@given(st.text())
def test_any_text_has_line_numbers_and_is_parsed_or_refused(text: str) -> None:
    line_numbers(text)
    refused = ""
    try:
        parse(text.encode(errors="surrogatepass"), file="a.toml")
    except UsageError as error:
        refused = str(error)

    assert not refused or refused.startswith("a.toml")


def test_a_name_near_none_gets_no_suggestion() -> None:
    assert did_you_mean("zebra", ["time", "instructions"]) == ""


def test_of_many_names_the_first_are_listed() -> None:
    assert listed(str(number) for number in range(15)).endswith("10, 11 and 3 more")
