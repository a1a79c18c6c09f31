"""A report without a verdict: the build failed, and every reporter says so with the log's end."""

from __future__ import annotations

import json
from xml.etree import ElementTree as ET

import msgspec
import pytest

from countci.model import Problem, Report, Status
from countci.reporting import REPORTERS, Look, read, words
from countci.reporting.github import Frame, annotate, comment, outputs, summary
from tests.reports import PASSED

LOOK = Look(width=100, colour=False)
FAILED = msgspec.structs.replace(
    PASSED,
    status=Status.ERROR,
    verdicts=(),
    comparisons=(),
    fingerprint=None,
    problem=Problem(
        problem="head can't be built: exit status 2",
        where="make all",
        detail="scan.c:41:3: error: expected ';'\nmake: *** [scan.o] Error 1",
    ),
)


@pytest.mark.parametrize("name", ["terminal", "markdown", "html", "junit", "json"])
def test_what_failed_is_shown_with_the_end_of_its_log(name: str) -> None:
    text = REPORTERS[name].render(FAILED, LOOK)

    assert "be built: exit status 2" in text
    assert "make all" in text
    assert "[scan.o] Error 1" in text


@pytest.mark.parametrize("name", list(REPORTERS))
def test_every_reporter_can_show_it(name: str) -> None:
    assert REPORTERS[name].render(FAILED, LOOK)


def test_it_is_read_back_as_it_was_written() -> None:
    text = REPORTERS["json"].render(FAILED, LOOK)

    assert read(text.encode(), name="result.json") == FAILED
    assert json.loads(text)["problem"]["where"] == "make all"


def test_a_result_of_before_has_no_problem() -> None:
    found = json.loads(REPORTERS["json"].render(PASSED, LOOK))
    found.pop("problem")

    assert read(json.dumps(found).encode(), name="result.json") == PASSED


def test_tools_that_show_tests_see_an_error() -> None:
    root = ET.fromstring(REPORTERS["junit"].render(FAILED, LOOK))  # noqa: S314 - ours

    assert root.get("errors") == root.get("tests") == "1"


def test_the_page_says_nothing_of_builds_that_it_knows_nothing_of() -> None:
    page = REPORTERS["markdown"].render(FAILED, LOOK)

    assert "not built" not in page
    assert "All 0 queries" not in page


def test_github_gets_an_annotation_outputs_and_pages() -> None:
    (found,) = annotate(FAILED)
    told = outputs(FAILED, result="result.json")
    body = comment(FAILED, Frame(), key="countci", attempt="1.1")

    assert found.level == "error"
    assert told["status"] == "error"
    assert told["summary"] == words.verdict(FAILED)
    assert told["summary"] == "no query was measured: head can't be built: exit status 2"
    assert "Error 1" in body
    assert "Error 1" in summary(FAILED, Frame())


def test_a_report_of_nothing_at_all_stays_one() -> None:
    nothing: Report = msgspec.structs.replace(FAILED, problem=None)

    assert words.verdict(nothing) == "no query was measured"
