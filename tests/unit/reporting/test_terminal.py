from __future__ import annotations

import re

import msgspec
import pytest

from countci.model import Limit, Report, Status, Verdict
from countci.reporting import Look
from countci.reporting.terminal import Terminal
from tests.reports import FAILED, REPORTS, SLOWER, report, time, verdict, work

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def rendered(shown: Report, *, width: int = 80, colour: bool = False) -> str:
    return Terminal().render(shown, Look(width=width, colour=colour))


def reported(*verdicts: Verdict) -> Report:
    return msgspec.structs.replace(FAILED, verdicts=verdicts, comparisons=())


@pytest.mark.parametrize("name", REPORTS)
def test_no_line_is_longer_than_eighty_columns(name: str) -> None:
    assert max(map(len, rendered(REPORTS[name]).splitlines())) <= 80


@pytest.mark.parametrize("name", REPORTS)
def test_colour_adds_nothing_but_colour(name: str) -> None:
    coloured = rendered(REPORTS[name], colour=True)

    assert _COLOUR.search(coloured)
    assert _COLOUR.sub("", coloured) == rendered(REPORTS[name])


def test_a_name_of_300_characters_leaves_the_numbers_whole() -> None:
    name = "n" * 300
    found = rendered(
        reported(
            verdict(name, work(27_070_000, 26_770_000)),
            verdict("b", time(0.0612, 0.0634, (-0.004, 0.071), Status.UNSETTLED)),
        )
    )

    assert "27.07M → 26.77M" in found
    assert "61.2 → 63.4\N{NO-BREAK SPACE}ms" in found
    assert max(map(len, found.splitlines())) <= 80


def test_the_verdict_is_the_last_line_and_the_worst_stands_before_it() -> None:
    *_, worst, last = rendered(SLOWER).replace("\N{NO-BREAK SPACE}", " ").splitlines()

    assert worst == "worst: bank/field +2.31 % instructions"
    assert last == "fail: 1 of 3 queries does more work (exit 1)"


def test_the_mean_is_the_last_row_of_its_table() -> None:
    lines = rendered(SLOWER).splitlines()

    ends = [number for number, line in enumerate(lines) if line.startswith("  geometric mean")]
    assert len(ends) == 2
    assert all(lines[number + 1] == "" for number in ends)


def test_notices_come_before_every_number() -> None:
    found = rendered(FAILED)

    assert found.index("! bank/ranks: head loosens") < found.index("Instructions per ask")


def test_a_limit_of_its_own_stands_in_its_row_and_the_usual_one_in_the_heading() -> None:
    own = msgspec.structs.replace(work(100, 100), limit=Limit(share=0.05))
    found = rendered(
        reported(verdict("a", work(1, 1)), verdict("b", own), verdict("c", work(1, 1)))
    ).replace("\N{NO-BREAK SPACE}", " ")

    assert "Instructions per ask, limit 1 %" in found
    assert re.search(r"bank/b +100 → 100 +0 % .* 5 %  pass", found)
    assert re.search(r"bank/a +1 → 1 +0 % +0 % +pass", found)


def test_the_noise_is_shown_where_there_is_room() -> None:
    assert "±0.4" in rendered(FAILED, width=120)
    assert "±0.4" not in rendered(FAILED, width=80)


def test_a_terminal_of_no_width_is_no_error() -> None:
    assert "fail: 1 of 3" in rendered(SLOWER, width=0)


def test_a_report_without_queries_is_no_error() -> None:
    assert "no query was measured" in rendered(report(Status.ERROR, ()))


def test_a_commit_asked_for_by_its_sha_is_shown_once() -> None:
    revision = msgspec.structs.replace(SLOWER.head.revision, name="a" * 40)
    side = msgspec.structs.replace(SLOWER.head, revision=revision)
    found = rendered(msgspec.structs.replace(SLOWER, head=side))

    assert "head  aaaaaaa  Scan fields by table\n" in found
