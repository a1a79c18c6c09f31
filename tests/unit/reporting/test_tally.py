"""The counts of one revision, as `countci count` prints them."""

from __future__ import annotations

import msgspec

from countci.model import Counts, Point, Problem, Tally
from countci.reporting import Look
from countci.reporting.tally import as_json, render
from tests.reports import FINGERPRINT, HEAD, measurement

LOOK = Look(width=80, colour=False)
TALLY = Tally(
    countci="0.1.0",
    side=HEAD,
    fingerprint=FINGERPRINT,
    suites="c" * 64,
    measurements=(measurement("field", HEAD.build, 1_482_310),),
    problems={},
)
BROKEN = {"bank/old": Problem(problem="exit status 2", where="build/bank", detail="usage: bank")}


def test_counts_are_whole_numbers_in_one_table() -> None:
    head, blank, titles, row, *_ = render(TALLY, LOOK).splitlines()

    assert head.startswith("aaaaaaa  HEAD")
    assert blank == ""
    assert titles.split() == ["query", "instructions", "per", "ask", "start-up", "at", "n", "="]
    assert row.split()[:3] == ["bank/field", "1,482,310", "1,000,000"]


def test_what_could_not_be_counted_is_in_the_last_line_with_the_exit_code() -> None:
    lines = render(msgspec.structs.replace(TALLY, problems=BROKEN), LOOK).splitlines()

    assert lines[-1] == "error: 1 of 2 queries could not be counted (exit 3)"
    assert "  usage: bank" in lines


def test_nothing_but_problems_has_no_empty_table() -> None:
    none = msgspec.structs.replace(TALLY, measurements=(), problems=BROKEN)
    lines = render(none, LOOK).splitlines()

    assert lines[1:3] == ["", "bank/old: exit status 2"]


def test_json_is_read_back_as_it_was() -> None:
    assert msgspec.json.decode(as_json(TALLY), type=Tally) == TALLY


def test_other_counts_are_columns_of_their_own_and_may_be_nothing() -> None:
    field, quiet = (measurement(name, HEAD.build, 1_482_310) for name in ("field", "quiet"))
    calls = Counts(points=(Point(n=10, total=30), Point(n=20, total=55)))
    counted = msgspec.structs.replace(field, counts={**field.counts, "syscalls": calls})
    tally = msgspec.structs.replace(TALLY, measurements=(counted, quiet))
    _, _, titles, first, second, *_ = render(tally, LOOK).splitlines()

    assert titles.endswith("syscalls")
    assert first.endswith("2.50")
    assert second.split()[-1] != "2.50"
    assert "allocations" not in titles
