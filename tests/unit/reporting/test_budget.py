from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci.reporting.budget import KEPT, Section, fit

TABLE = Section(
    before="<details>\n\n| a |\n| - |\n",
    rows=tuple(f"| row {number:03} |\n" for number in range(100)),
    after="\n</details>\n",
    rank=0,
)
HEADING = Section(before="### heading\n")
REMARKS = Section(before="", rows=tuple(f"- remark {number}\n" for number in range(30)), rank=1)
PAGE = (HEADING, REMARKS, TABLE)
WHOLE = fit(PAGE, limit=10**6)
SIZE = len(WHOLE.encode())


def test_a_page_of_exactly_the_limit_is_left_alone_and_one_byte_more_is_cut() -> None:
    assert fit(PAGE, limit=SIZE) == WHOLE
    assert fit(PAGE, limit=SIZE + 1) == WHOLE
    assert fit(PAGE, limit=SIZE - 1) != WHOLE


@given(st.integers(min_value=400, max_value=SIZE))
def test_a_page_is_never_longer_than_its_limit_and_cut_at_the_end_of_rows(limit: int) -> None:
    found = fit(PAGE, limit=limit)

    assert len(found.encode()) <= limit
    assert all(line in WHOLE or "left out here" in line for line in found.splitlines(keepends=True))
    assert found.count("<details>") == found.count("</details>")


def test_what_was_cut_is_counted() -> None:
    found = fit(PAGE, limit=SIZE - 100)

    shown = found.count("| row ")
    assert f"\n{100 - shown} more rows are left out here.\n\n</details>" in found
    assert found.count("- remark") == 30


def test_a_section_without_room_for_a_row_is_left_out_whole() -> None:
    found = fit(PAGE, limit=570)

    assert "<details>" not in found
    assert found.count("- remark") == 30
    assert "1 part of this report is left out here, for want of room" in found


def test_of_equal_rank_the_later_section_goes_first() -> None:
    one, other = (Section(before=f"{name * 500}\n", rank=0) for name in "ab")

    assert "a" * 500 in fit((one, other), limit=800)
    assert "b" * 500 not in fit((one, other), limit=800)


def test_a_fence_is_closed_before_what_was_cut_is_counted() -> None:
    fenced = Section(
        before="```\n", rows=("boom\n",) * 200, close="```\n", after="after\n", rank=KEPT - 1
    )

    assert "boom\n```\n\n" in fit((fenced,), limit=600)
    assert fit((fenced,), limit=600).endswith("rows are left out here.\nafter\n")


def test_what_is_kept_stays_though_there_is_no_room() -> None:
    assert fit((HEADING, TABLE), limit=1).startswith("### heading\n")


@pytest.mark.parametrize("text", ["é", "\N{GRINNING FACE}", "漢"])
def test_size_is_counted_in_bytes(text: str) -> None:
    rows = Section(before="", rows=(f"{text * 10}\n",) * 100, rank=0)

    assert len(fit((rows,), limit=500).encode()) <= 500
