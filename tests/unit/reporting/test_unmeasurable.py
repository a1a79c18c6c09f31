from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from countci import judging
from countci.model import Comparison, Reason, Report
from countci.reporting import Look
from countci.reporting.findings import findings
from countci.reporting.rows import rows
from countci.reporting.table import REPORTERS
from countci.reporting.words import tally, verdict
from tests.reports import IDENTITY, PASSED, compared, query, report

LOOK = Look(width=100, colour=False)
WHY = Reason(
    code="not-measurable", text="one-core is not measurable on this machine: there is 1 core"
)


def judged(*comparisons: Comparison) -> Report:
    verdicts = [judging.judge(each) for each in comparisons]
    both = tuple(zip(comparisons, verdicts, strict=True))
    return report(judging.overall(verdicts), both)


def unable(name: str) -> Comparison:
    asked = replace(query(name), metrics=("time",), placement="one-core")
    return Comparison(query=asked, unmeasurable=WHY)


def fine(name: str) -> Comparison:
    asked = replace(query(name), metrics=("instructions",))
    return replace(compared(name, 1000, 1000, (1.0, 1.0)), query=asked, identity=IDENTITY)


SOME = judged(unable("ranks"), fine("field"))
NONE = judged(unable("ranks"))


def test_it_is_listed_and_not_counted_among_the_good_ones() -> None:
    assert verdict(SOME) == "nothing changed for 1 query, 1 not measurable"
    assert tally(SOME) == "1 identical, 1 not measurable"
    assert SOME.status.exit_code == 0


def test_a_report_of_nothing_else_says_so_and_is_an_error() -> None:
    assert verdict(NONE) == "this machine can measure none of it"
    assert NONE.status.exit_code == 3


def test_its_row_has_no_numbers_no_limit_and_no_status() -> None:
    (row,) = [each for each in rows(SOME) if each.query == "bank/ranks"]

    assert (row.base, row.head, row.change, row.limit) == ("", "", "", "")
    assert (row.word, row.status, row.improved) == ("not measurable", None, False)


def test_it_is_no_finding() -> None:
    assert findings(SOME) == ()


@pytest.mark.parametrize("name", ["terminal", "markdown", "html"])
def test_people_read_why(name: str) -> None:
    page = REPORTERS[name].render(SOME, LOOK)

    assert "not measurable" in page
    assert "there is 1 core" in page
    assert "0 %" not in page.partition("bank/ranks")[2].partition("\n")[0]
    assert "not measurable" not in REPORTERS[name].render(PASSED, LOOK)


def test_junit_has_it_skipped_with_its_word() -> None:
    root = ET.fromstring(REPORTERS["junit"].render(SOME, LOOK))  # noqa: S314 - our own

    (skipped,) = root.findall(".//skipped")
    assert skipped.attrib["type"] == skipped.attrib["message"] == "not measurable"
    assert root.attrib["errors"] == root.attrib["failures"] == "0"
