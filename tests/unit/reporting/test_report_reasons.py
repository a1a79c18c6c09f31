from __future__ import annotations

import msgspec

from countci.model import Identity, Problem, Reason, Report, Status, Verdict
from countci.reporting.reasons import notices, reasons
from tests.reports import FAILED, IDENTICAL, report, verdict, work

WHY = Reason(code="output-changed", text="the output changed")


def reported(*verdicts: Verdict) -> Report:
    return msgspec.structs.replace(FAILED, verdicts=verdicts, comparisons=())


def test_what_is_true_of_many_queries_is_said_once() -> None:
    (found,) = reasons(IDENTICAL)

    assert len(found.queries) == 8
    assert found.text == (
        "identical, as nothing that they read differs (only README.md and docs/guide.md differ)"
    )


def test_equal_builds_are_called_equal() -> None:
    raw, judged = IDENTICAL.comparisons[0], IDENTICAL.verdicts[0]
    raw = msgspec.structs.replace(raw, identity=Identity(differs=()))

    (found,) = reasons(report(Status.PASS, ((raw, judged),)))
    assert found.text == "identical, as the two builds are equal"


def test_an_identity_is_not_told_a_second_time_by_judging() -> None:
    judged = msgspec.structs.replace(
        IDENTICAL.verdicts[0], reasons=(Reason(code="identical", text="identical: so it is"),)
    )

    assert len(reasons(report(Status.PASS, ((IDENTICAL.comparisons[0], judged),)))) == 1


def test_errors_come_before_remarks() -> None:
    problem = Problem(problem="exit status 2", where="build/bank", detail="usage:\n\n  bank ask\n")
    lost = msgspec.structs.replace(verdict("lost", status=Status.ERROR), problem=problem)

    found = reasons(reported(verdict("x", work(1, 1, Status.PASS, WHY)), lost))

    assert [(each.text, each.bad) for each in found] == [
        ("exit status 2", True),
        ("the output changed", False),
    ]
    assert found[0].detail == ("usage:", "", "  bank ask")


def test_why_a_number_cannot_be_judged_is_an_error() -> None:
    collapsed = verdict("x", work(100, 1, Status.ERROR, WHY), status=Status.ERROR)

    assert [each.bad for each in reasons(reported(collapsed))] == [True]


def test_two_metrics_that_say_the_same_say_it_once() -> None:
    change = work(1, 1, Status.PASS, WHY)
    again = msgspec.structs.replace(change, metric="time")

    (found,) = reasons(reported(verdict("x", change, again)))
    assert found.queries == ("bank/x",)


def test_an_error_that_nobody_explained_is_an_error_all_the_same() -> None:
    (found,) = reasons(reported(verdict("x", status=Status.ERROR)))

    assert found.bad
    assert found.text == "not measured, and nothing was written down why"


def test_what_was_seen_on_the_way_is_told() -> None:
    raw = msgspec.structs.replace(FAILED.comparisons[0], notes=(WHY,))

    (found,) = reasons(report(Status.PASS, ((raw, verdict("field", work(1, 1))),)))
    assert found.text == "the output changed"


def test_notices_are_single_lines() -> None:
    changed = msgspec.structs.replace(FAILED, notices=(Reason(code="x", text="a\nb"),))

    assert notices(changed) == ("a b",)
