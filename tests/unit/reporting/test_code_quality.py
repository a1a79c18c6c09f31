from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from countci.model import Report
from countci.reporting import Look
from countci.reporting.code_quality import CodeQuality
from tests.reports import EXPLAINED, FAILED, IDENTICAL, SLOWER, UNSETTLED
from tests.unit.reporting.test_reporters import HOSTILE, hostile


def issues(shown: Report) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(
        CodeQuality().render(shown, Look(width=80, colour=False))
    )
    return found


def test_a_failure_stands_on_the_lines_that_are_named_for_it() -> None:
    (issue,) = issues(EXPLAINED)

    assert issue["location"] == {"path": "src/scan.c", "lines": {"begin": 41, "end": 58}}
    assert issue["severity"] == "major"
    assert issue["check_name"] == "countci-fail"
    assert "caused by src/scan.c:41-58" in issue["description"]


def test_everything_else_stands_on_its_query_file() -> None:
    (issue,) = issues(UNSETTLED)

    assert issue["location"] == {"path": "queries/bank.toml", "lines": {"begin": 1, "end": 1}}
    assert issue["severity"] == "minor"


def test_an_error_is_critical_and_comes_first() -> None:
    first, *_ = issues(FAILED)

    assert first["severity"] == "critical"
    assert "killed by signal 11" in first["description"]


def test_nothing_wrong_is_an_empty_list() -> None:
    assert issues(IDENTICAL) == []


def test_the_fingerprint_is_the_same_whatever_numbers_and_lines_there_are() -> None:
    (one,), (other,) = issues(SLOWER), issues(EXPLAINED)

    assert one["location"] != other["location"]
    assert one["fingerprint"] == other["fingerprint"]


def test_no_two_issues_share_a_fingerprint() -> None:
    found = [issue["fingerprint"] for issue in issues(FAILED)]

    assert len(set(found)) == len(found) == 4


def test_a_path_outside_of_the_repository_is_not_named() -> None:
    raw = SLOWER.comparisons[0]
    outside = msgspec.structs.replace(raw.query, file="../elsewhere.toml")
    shown = msgspec.structs.replace(
        SLOWER, comparisons=(msgspec.structs.replace(raw, query=outside), *SLOWER.comparisons[1:])
    )

    assert issues(shown)[0]["location"]["path"] == "countci.toml"


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_report_is_as_many_issues_of_one_line_each(text: str) -> None:
    found = issues(hostile(text))

    assert len(found) == len(issues(hostile("plain")))
    assert not any("\n" in issue["description"] for issue in found)
