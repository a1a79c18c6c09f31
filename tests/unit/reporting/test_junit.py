from __future__ import annotations

from xml.etree.ElementTree import Element, fromstring

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from countci.model import Report, Status
from countci.reporting import Look
from countci.reporting.junit import Junit
from tests.reports import EXPLAINED, FAILED, PASSED, REPORTS, UNSETTLED, report
from tests.unit.reporting.test_reporters import HOSTILE, hostile

# What the xunit plug-in of Jenkins takes; anything else refuses the whole file.
ATTRIBUTES = {
    "testsuites": {"name", "time", "tests", "failures", "errors"},
    "testsuite": {"name", "file", "tests", "failures", "errors", "skipped"},
    "testcase": {"name", "classname"},
    "failure": {"type", "message"},
    "error": {"type", "message"},
    "skipped": {"type", "message"},
    "system-out": set(),
}
INSIDE = {
    "testsuites": {"testsuite"},
    "testsuite": {"testcase"},
    "testcase": {"failure", "error", "skipped", "system-out"},
}


def parsed(shown: Report) -> Element:
    return fromstring(Junit().render(shown, Look(width=80, colour=False)))  # noqa: S314 - ours


def outcome(root: Element, name: str) -> tuple[str, str]:
    """Return tag and type of what became of the test case of that name."""
    (case,) = (each for each in root.iter("testcase") if each.get("name") == name)
    return case[0].tag, case[0].get("type", "")


@pytest.mark.parametrize("name", REPORTS)
def test_the_strictest_reader_takes_every_report(name: str) -> None:
    root = parsed(REPORTS[name])

    for element in root.iter():
        assert set(element.attrib) <= ATTRIBUTES[element.tag]
        assert {each.tag for each in element} <= INSIDE.get(element.tag, set())
        assert element.tag not in {"testsuites", "testsuite", "testcase"} or element.get("name")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("field instructions", ("failure", "fail")),
        ("field time", ("system-out", "")),
        ("ranks time", ("failure", "unsettled")),
        ("fresh instructions", ("skipped", "new")),
        ("per_branch", ("error", "error")),
        ("old", ("error", "gone")),
    ],
)
def test_what_became_of_a_query_is_what_became_of_its_test(
    name: str, expected: tuple[str, str]
) -> None:
    assert outcome(parsed(FAILED), name) == expected


def test_an_unsettled_query_is_skipped_where_unsettled_passes() -> None:
    forgiven = msgspec.structs.replace(UNSETTLED, unsettled_passes=True)

    assert outcome(parsed(forgiven), "ranks time") == ("skipped", "unsettled")


def test_the_totals_are_those_of_the_cases() -> None:
    root = parsed(FAILED)

    assert [root.get(name) for name in ("tests", "failures", "errors")] == ["13", "2", "2"]
    assert root[0].get("skipped") == "1"
    assert root[0].get("file") == "queries/bank.toml"


def test_an_error_holds_the_end_of_the_output_and_a_failure_its_explanation() -> None:
    crashed = next(parsed(FAILED).iter("error"))
    slower = next(parsed(EXPLAINED).iter("failure"))

    assert (crashed.text or "").splitlines()[-1] == "bank: branch 17 has no field 4"
    assert "caused by src/scan.c:41-58 (scan_next)" in (slower.text or "")


def test_no_two_cases_share_class_and_name() -> None:
    cases = [(each.get("classname"), each.get("name")) for each in parsed(FAILED).iter("testcase")]

    assert len(set(cases)) == len(cases)


def test_a_report_that_passes_has_nothing_but_output() -> None:
    assert not list(parsed(PASSED).iter("failure"))
    assert not list(parsed(PASSED).iter("error"))


def test_a_report_without_queries_has_no_suite() -> None:
    assert parsed(report(Status.ERROR, ())).get("tests") == "0"


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_name_is_no_element_of_its_own(text: str) -> None:
    tags = [each.tag for each in parsed(hostile(text)).iter()]

    assert tags == [each.tag for each in parsed(hostile("plain")).iter()]


@settings(max_examples=50)
@given(st.text())
def test_any_name_that_msgspec_can_read_can_be_parsed_again(name: str) -> None:
    assert len(list(parsed(hostile(name)).iter("testcase"))) == 12
