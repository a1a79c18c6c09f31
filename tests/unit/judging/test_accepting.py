from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from countci.errors import UsageError
from countci.judging.accepting import accept, unused_acceptances
from countci.judging.verdict import judge
from countci.model import (
    METRICS,
    Acceptance,
    Change,
    Kind,
    Limit,
    Metric,
    Problem,
    Status,
    Verdict,
)
from countci.units import show_share
from tests.unit.judging.measured import compared, query, straight

QUERIES = (query(),)


def accepts(
    share: float,
    metric: str | None = "instructions",
    *,
    query: str = "bank/field",
    commit: str = "0b5fa1d0",
) -> Acceptance:
    return Acceptance(
        commit=commit * 5,
        query=query,
        metric=metric,
        share=share,
        reason="the index is rebuilt",
        line=f"{query} ... because the index is rebuilt",
    )


def change(
    delta: float, status: Status = Status.FAIL, metric: str = "instructions", **more: float
) -> Change:
    return Change(
        metric=metric,
        base=1000.0,
        head=1000.0 * (1 + delta),
        delta=delta,
        limit=Limit(share=0.01),
        status=status,
        noise=more.get("noise"),
        low=more.get("low"),
        high=more.get("high"),
    )


def verdict(*changes: Change, status: Status = Status.FAIL) -> Verdict:
    return Verdict(query="bank/field", kind=Kind.BOTH, status=status, changes=changes)


def one(verdict: Verdict, *acceptances: Acceptance) -> Verdict:
    [found] = accept((verdict,), acceptances, QUERIES)
    return found


def test_a_real_regression_within_the_value_passes_and_says_why() -> None:
    judged = judge(compared(straight(1000), straight(1020), metrics=("instructions",)))
    assert judged.status is Status.FAIL

    found = one(judged, accepts(0.02))

    assert found.status is Status.PASS
    [reason] = found.changes[0].reasons
    assert reason.code == "accepted"
    assert reason.text == (
        "within what commit 0b5fa1d00b accepts: instructions up to +2.00\N{NO-BREAK SPACE}%, "
        "because the index is rebuilt"
    )


def test_beyond_the_value_it_still_fails_and_says_what_was_accepted() -> None:
    found = one(verdict(change(0.0301)), accepts(0.03))

    assert found.status is Status.FAIL
    [reason] = found.changes[0].reasons
    assert reason.code == "beyond-accepted"
    assert reason.text.startswith("beyond what commit 0b5fa1d00b accepts: instructions up to +3.00")


@pytest.mark.parametrize(
    "acceptance", [accepts(0.5, "time"), accepts(0.5, query="bank/other"), accepts(0, None)]
)
def test_another_metric_or_query_is_not_accepted(acceptance: Acceptance) -> None:
    failed = verdict(change(0.02))
    queries = (*QUERIES, replace(query(), name="other"))

    assert accept((failed,), (acceptance,), queries) == (failed,)


def test_one_metric_accepted_leaves_the_other_one_failed() -> None:
    found = one(verdict(change(0.02), change(0.2, metric="time")), accepts(0.02))

    assert found.status is Status.FAIL
    assert [each.status for each in found.changes] == [Status.PASS, Status.FAIL]


def test_the_newest_of_several_counts_also_when_it_is_the_stricter_one() -> None:
    failed = verdict(change(0.03))

    assert one(failed, accepts(0.05), accepts(0.02)).status is Status.FAIL
    assert one(failed, accepts(0.02), accepts(0.05)).status is Status.PASS


def test_errors_and_what_passes_stay_as_they_are() -> None:
    error = verdict(change(0.02, Status.ERROR), status=Status.ERROR)
    good = verdict(change(0.005, Status.PASS), status=Status.PASS)

    assert one(error, accepts(0.5)) == error
    assert one(good, accepts(0.5)) == good


def test_a_verdict_with_a_problem_stays_an_error_beside_an_accepted_change() -> None:
    broken = Verdict(
        query="bank/field",
        kind=Kind.BOTH,
        status=Status.ERROR,
        changes=(change(0.02),),
        problem=Problem(problem="exit status 3 on head"),
    )

    assert one(broken, accepts(0.5)).status is Status.ERROR


@pytest.mark.parametrize(
    ("change", "status"),
    [
        (change(0.02, Status.UNSETTLED, "time", low=-0.01, high=0.05), Status.PASS),
        (change(0.02, Status.UNSETTLED, "time", low=-0.01, high=0.052), Status.UNSETTLED),
        (change(0.02, Status.UNSETTLED, "time", noise=0.01), Status.UNSETTLED),
        (change(-0.02, Status.UNSETTLED, "time", low=-0.09, high=-0.01), Status.PASS),
        (change(0.02, Status.UNSETTLED, noise=0.03), Status.PASS),
        (change(0.02, Status.UNSETTLED, noise=0.031), Status.UNSETTLED),
        (change(0.02, Status.UNSETTLED), Status.UNSETTLED),
    ],
)
def test_unsettled_is_accepted_when_its_far_end_is(change: Change, status: Status) -> None:
    judged = verdict(change, status=Status.UNSETTLED)

    assert one(judged, accepts(0.05, change.metric)).status is status


def test_a_query_that_is_gone_passes_when_it_is_accepted() -> None:
    gone = judge(compared(kind=Kind.GONE))

    found = one(gone, accepts(0, None))

    assert (gone.status, found.status) == (Status.ERROR, Status.PASS)
    assert found.reasons[-1].text == (
        "gone, as commit 0b5fa1d00b accepts, because the index is rebuilt"
    )
    assert one(gone, accepts(0.9)) == gone


@pytest.mark.parametrize(
    ("acceptance", "problem", "advice"),
    [
        (accepts(0.1, query="bank/feild"), 'did you mean "bank/field"?', "there are bank/field"),
        (accepts(0.1, "instruction"), 'did you mean "instructions"?', "there are instructions"),
        (accepts(-0.1), "no change for the worse", "write a value with +"),
        (accepts(0.0), "no change for the worse", "write a value with +"),
    ],
)
def test_what_could_never_take_part_is_an_error_with_commit_and_line(
    acceptance: Acceptance, problem: str, advice: str
) -> None:
    with pytest.raises(UsageError) as caught:
        accept((), (acceptance,), QUERIES)

    assert problem in caught.value.problem
    assert caught.value.where == "commit 0b5fa1d00b"
    assert caught.value.detail.startswith(f"Countci-Accept: {acceptance.line}\n")
    assert advice in caught.value.detail


def test_a_query_that_came_and_went_between_the_two_is_known_by_the_line_that_let_it_go() -> None:
    both = (accepts(0.1, query="bank/brief"), accepts(0, None, query="bank/brief"))
    good = verdict(change(0.0, Status.PASS), status=Status.PASS)

    assert accept((good,), both, QUERIES) == (good,)
    assert ["bank/brief gone" in reason.text for reason in unused_acceptances((good,), both)] == [
        True
    ]


def test_a_metric_of_which_more_is_better_takes_a_minus(monkeypatch: pytest.MonkeyPatch) -> None:
    rate = Metric(name="rate", unit="transactions per second", exact=False, better="higher")
    monkeypatch.setitem(METRICS, "rate", rate)
    slower = verdict(change(-0.05, metric="rate"))
    unsure = verdict(change(-0.01, Status.UNSETTLED, "rate", low=-0.05, high=0.02))

    assert one(slower, accepts(-0.05, "rate")).status is Status.PASS
    assert one(slower, accepts(-0.049, "rate")).status is Status.FAIL
    assert one(unsure, accepts(-0.05, "rate")).status is Status.PASS
    assert one(unsure, accepts(-0.04, "rate")).status is Status.UNSETTLED
    with pytest.raises(UsageError, match="no change for the worse"):
        one(slower, accepts(0.05, "rate"))


def test_what_had_nothing_to_accept_is_named() -> None:
    good = verdict(change(0.0, Status.PASS), status=Status.PASS)

    [limit, gone] = unused_acceptances((good,), (accepts(0.02), accepts(0.03), accepts(0, None)))

    assert limit.text == (
        "commit 0b5fa1d00b accepts bank/field instructions up to +3.00\N{NO-BREAK SPACE}%, but "
        "there was nothing to accept"
    )
    assert "bank/field gone" in gone.text


def test_what_was_used_or_not_measured_is_not_called_unused() -> None:
    assert unused_acceptances((verdict(change(0.02)),), (accepts(0.02),)) == ()
    assert unused_acceptances((verdict(status=Status.ERROR),), (accepts(0.02),)) == ()
    assert unused_acceptances((), (accepts(0.02),)) == ()
    assert unused_acceptances((judge(compared(kind=Kind.GONE)),), (accepts(0, None),)) == ()


@given(st.floats(1e-6, 3.0), st.sampled_from([("instructions", 2), ("time", 1)]))
def test_the_value_that_a_report_prints_is_enough_and_less_is_not(
    delta: float, of: tuple[str, int]
) -> None:
    metric, digits = of
    printed = float(show_share(delta, digits=digits).removesuffix("%"))
    failed = verdict(change(delta, metric=metric))

    assert one(failed, accepts(printed / 100, metric)).status is Status.PASS
    assert one(failed, accepts(printed / 100 * 0.99, metric)).status is Status.FAIL
