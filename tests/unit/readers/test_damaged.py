"""Text that is cut off or damaged never gives a number where an error count was."""

from __future__ import annotations

import contextlib
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from countci.errors import MeasureError
from countci.readers import READERS, chosen
from tests.unit.readers.samples import GOOD, text_of

COUNTED = {
    "ab.txt": r"Failed requests: +0",
    "h2load.txt": r"400 succeeded, 0 failed, 0 errored, 0 timeout",
    "h2load_timed.txt": r"277528 succeeded, 0 failed, 0 errored, 0 timeout",
    "hey.txt": r"\[200\]\t56822 responses",
    "pgbench.txt": r"number of failed transactions: 0 \(",
    "pgbench_rate.txt": r"number of failed transactions: 0 \(",
    "fio.json": r'"error" : 0,',
    "hyperfine.json": r'"exit_codes": \[\s+0,',
}
"""By sample, what tells that nothing went wrong."""
READER = {good.file: good.reader for good in GOOD}
VALUES = {good.file: good.values for good in GOOD}


def read(file: str, text: str) -> dict[str, float] | None:
    """Return the numbers; None where the reader refuses them."""
    try:
        return chosen(READERS[READER[file]], text, tuple(VALUES[file]))
    except MeasureError:
        return None


def span(file: str) -> tuple[int, int]:
    found = re.search(COUNTED[file], text_of(file))
    assert found, file
    return found.span()


@given(file=st.sampled_from(sorted(COUNTED)), data=st.data())
@settings(deadline=None)
def test_text_that_is_cut_before_the_end_of_the_count_gives_no_number(
    file: str, data: st.DataObject
) -> None:
    text = text_of(file)
    end = data.draw(st.integers(0, span(file)[1] - 1))

    assert read(file, text[:end]) is None


@given(file=st.sampled_from(sorted(COUNTED)), data=st.data())
@settings(deadline=None)
def test_text_without_the_line_of_the_count_gives_no_number(file: str, data: st.DataObject) -> None:
    text = text_of(file)
    start, end = span(file)
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    other = data.draw(st.text("abc \t", max_size=30))

    assert read(file, f"{text[:first]}{other}{text[last:]}") is None


@given(file=st.sampled_from(sorted(COUNTED.keys() - {"hey.txt"})), data=st.data())
@settings(deadline=None)
def test_a_count_that_is_not_0_any_more_gives_no_number(file: str, data: st.DataObject) -> None:
    text = text_of(file)
    start, end = span(file)
    digits = [place for place in range(start, end) if text[place].isdecimal()]
    zeros = [place for place in digits if not text[place - 1].isalnum() and text[place] == "0"]
    place = data.draw(st.sampled_from(zeros or digits[:1] + digits[3:4]))
    other = data.draw(st.sampled_from("123456789xyz-,".replace(text[place], "")))

    assert read(file, f"{text[:place]}{other}{text[place + 1 :]}") is None


@given(file=st.sampled_from(sorted(READER)), data=st.data())
@settings(deadline=None)
def test_text_that_is_cut_anywhere_gives_what_the_whole_gives_or_nothing(
    file: str, data: st.DataObject
) -> None:
    text = text_of(file)
    lines = text.splitlines(keepends=True)
    kept = data.draw(st.integers(0, len(lines)))

    found = read(file, "".join(lines[:kept]))

    assert found is None or found == pytest.approx(VALUES[file], rel=1e-5)


@given(reader=st.sampled_from(sorted(READERS)), text=st.text(max_size=200))
@settings(deadline=None)
def test_any_text_at_all_is_a_number_or_an_error_of_ours(reader: str, text: str) -> None:
    with contextlib.suppress(MeasureError):
        chosen(READERS[reader], text, READERS[reader].usual)


@given(file=st.sampled_from(sorted(READER)), data=st.data())
@settings(deadline=None, max_examples=200)
def test_damage_anywhere_never_ends_in_another_error_than_ours(
    file: str, data: st.DataObject
) -> None:
    text = text_of(file)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(start + 40, len(text))))
    other = data.draw(st.text('0123456789.:,{}[]"- \nnaife', max_size=10))

    read(file, f"{text[:start]}{other}{text[end:]}")
