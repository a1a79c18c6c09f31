from __future__ import annotations

import msgspec
import pytest

from countci.model import Hunk, Status
from countci.reporting.github import annotate, annotation_lines
from tests.reports import EXPLAINED, FAILED, PASSED, SLOWER, UNSETTLED, WHY, report, verdict, work
from tests.unit.reporting.test_reporters import HOSTILE, hostile, obeyed


def test_a_failure_stands_on_the_hunk_that_is_named_for_it() -> None:
    found, *others = annotate(EXPLAINED)

    assert (found.level, found.file, found.first, found.last) == ("error", "src/scan.c", 41, 58)
    assert "instructions +2.31" in found.message
    assert "caused by src/scan.c:41-58 (scan_next)" in found.message
    assert not others


def test_a_hunk_that_is_only_likely_is_a_warning() -> None:
    assert WHY.blame is not None
    likely = msgspec.structs.replace(WHY, blame=msgspec.structs.replace(WHY.blame, sure=False))

    found, *_ = annotate(msgspec.structs.replace(EXPLAINED, explanations=(likely,)))

    assert found.level == "warning"


def test_a_failure_that_nothing_explains_stands_on_its_query_file() -> None:
    found, *_ = annotate(SLOWER)

    assert (found.level, found.file, found.first) == ("error", "queries/bank.toml", 0)


def test_an_error_comes_first_with_the_end_of_its_output() -> None:
    first, *_ = annotate(FAILED)

    assert first.title == "countci: bank/per_branch"
    assert first.message.endswith("bank: branch 17 has no field 4")


def test_what_the_data_cant_decide_is_a_warning() -> None:
    assert [each.level for each in annotate(UNSETTLED)] == ["warning"]


def test_a_report_that_passes_has_no_annotation() -> None:
    assert annotation_lines(PASSED) == ""


def test_nine_are_shown_worst_first_and_the_others_counted() -> None:
    failing = tuple(
        verdict(f"q{number}", work(1000, 1020 + number, Status.FAIL), status=Status.FAIL)
        for number in range(14)
    )
    shown = msgspec.structs.replace(report(Status.FAIL, ()), verdicts=failing)

    *found, more = annotate(shown)

    assert [each.title for each in found[:2]] == ["countci: bank/q13", "countci: bank/q12"]
    assert len(found) == 9
    assert (more.level, more.message[:10]) == ("notice", "and 5 more")


@pytest.mark.parametrize("path", ["/etc/passwd", "../up.toml", "a\nb.toml", "\u202eb.toml"])
def test_a_path_outside_of_the_repository_names_no_file(path: str) -> None:
    assert WHY.blame is not None
    blame = msgspec.structs.replace(WHY.blame, hunk=Hunk(file=path, first=1, last=2))
    why = msgspec.structs.replace(WHY, blame=blame)

    found = annotation_lines(msgspec.structs.replace(EXPLAINED, explanations=(why,)))

    assert "file=" not in found
    assert "line=" not in found


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_name_is_no_command_of_its_own(text: str) -> None:
    lines = annotation_lines(hostile(text)).splitlines()

    assert all(line.startswith(("::error ", "::warning ", "::notice ")) for line in lines)
    assert obeyed("\n".join(lines)) == lines
    assert not any("##[" in line for line in lines)
    assert len(lines) == len(annotation_lines(hostile("plain")).splitlines())
