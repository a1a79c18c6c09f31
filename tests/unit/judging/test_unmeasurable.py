from __future__ import annotations

from msgspec.structs import replace

from countci import judging
from countci.model import Comparison, Identity, Kind, Problem, Reason, Status, Verdict
from tests.reports import compared, query

WHY = Reason(code="not-measurable", text="one-core is not measurable on this machine: no")


def unable(*metrics: str, head: int = 1_000_000) -> Comparison:
    """Return a query whose time this machine can't measure."""
    asked = replace(query("field"), placement="one-core", metrics=metrics)
    counted = replace(compared("field", 1_000_000, head, (1.0, 1.0)), samples=None)
    if "instructions" not in metrics:
        counted = replace(counted, base=None, head=None)
    return replace(counted, query=asked, unmeasurable=WHY)


def good() -> Verdict:
    return judging.judge(replace(unable("instructions"), unmeasurable=None))


def test_what_this_machine_cannot_measure_has_no_number_and_is_no_pass() -> None:
    verdict = judging.judge(unable("time"))

    (change,) = verdict.changes
    assert (change.base, change.head, change.delta) == (None, None, None)
    assert change.unmeasurable
    assert change.reasons == (WHY,)
    assert (verdict.kind, verdict.status) == (Kind.UNMEASURABLE, Status.UNSETTLED)


def test_what_it_can_count_is_judged_all_the_same() -> None:
    same = judging.judge(unable("instructions", "time"))
    more = judging.judge(unable("instructions", "time", head=1_100_000))

    assert (same.kind, same.status) == (Kind.BOTH, Status.PASS)
    assert (more.kind, more.status) == (Kind.BOTH, Status.FAIL)


def test_a_report_is_judged_by_the_rest() -> None:
    verdicts = [judging.judge(unable("time")), good()]

    assert judging.overall(verdicts) is Status.PASS
    failed = replace(verdicts[1], status=Status.FAIL)
    assert judging.overall([verdicts[0], failed]) is Status.FAIL


def test_a_report_of_nothing_else_is_an_error() -> None:
    assert judging.overall([judging.judge(unable("time"))]) is Status.ERROR
    assert judging.overall([]) is Status.ERROR


def test_a_problem_is_an_error_whatever_the_machine_can_do() -> None:
    verdict = judging.judge(replace(unable("time"), problem=Problem(problem="no", where="x")))

    assert verdict.status is Status.ERROR
    assert verdict.kind is Kind.BOTH


def test_proof_needs_no_placement() -> None:
    proven = replace(unable("time"), unmeasurable=None, identity=Identity(differs=()))

    assert judging.judge(proven).status is Status.PASS


def test_missing_without_a_reason_of_the_machine_is_still_an_error() -> None:
    assert judging.judge(replace(unable("time"), unmeasurable=None)).status is Status.ERROR
