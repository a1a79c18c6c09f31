from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci.model import Change, Kind, Limit, Report, Status, Verdict
from countci.reporting.rows import Row, means, rows, worst, worst_first
from tests.reports import FAILED, PASSED, SLOWNESS, WORK, proven, report, time, verdict, work


def reported(*verdicts: Verdict) -> Report:
    return msgspec.structs.replace(FAILED, verdicts=verdicts, comparisons=())


def row(change: Change) -> Row:
    (found,) = rows(reported(verdict("x", change)))
    return found


def plain(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


def test_a_count_shows_both_sides_and_two_digits_of_the_change() -> None:
    found = row(work(27_070_000, 26_770_000))

    assert found.values == "27.07M → 26.77M"
    assert plain(found.change) == "−1.11 %"


def test_a_time_shows_its_unit_once_and_no_digit_that_pairs_cannot_tell() -> None:
    found = row(time(0.0612, 0.0634, (-0.004, 0.0712), Status.UNSETTLED))

    assert plain(found.values) == "61.2 → 63.4 ms"
    assert plain(found.change) == "+3.6 %"
    assert found.interval == "[−0.4, +7.1]"
    assert (found.pairs, found.core_share, found.noise) == ("20", "0.97", "±0.4")


def test_two_units_are_both_shown() -> None:
    assert plain(row(time(0.0009, 0.0011, (0, 0), Status.PASS)).values) == "900 µs → 1.10 ms"


def test_minutes_keep_their_unit() -> None:
    shown = plain(row(time(200, 205, (0, 0), Status.PASS)).values)

    assert shown == "3 min 20 s → 3 min 25 s"


def test_an_identical_query_shows_exactly_0_and_says_so() -> None:
    found = row(proven("instructions", 9_120_004, WORK))

    assert found.values == "9.120M, identical"
    assert plain(found.change) == "0 %"


def test_an_identical_query_that_was_never_timed_says_so() -> None:
    assert row(proven("time", None, SLOWNESS)).values == "identical"


def test_a_new_query_has_no_base_no_limit_and_no_status() -> None:
    change = Change(
        metric="instructions", base=None, head=2_250_003, delta=None, limit=WORK, status=Status.PASS
    )
    new = msgspec.structs.replace(verdict("x", change), kind=Kind.NEW)
    (found,) = rows(reported(new))

    assert (found.values, found.limit, found.word, found.status) == ("2.250M", "", "new", None)


def test_a_new_query_that_does_no_work_is_an_error() -> None:
    change = Change(
        metric="instructions", base=None, head=0.0, delta=None, limit=WORK, status=Status.ERROR
    )
    new = msgspec.structs.replace(verdict("x", change), kind=Kind.NEW, status=Status.ERROR)
    (found,) = rows(reported(new))

    assert (found.word, found.status) == ("error", Status.ERROR)


def test_a_query_of_which_nothing_was_measured_has_a_row_all_the_same() -> None:
    gone = msgspec.structs.replace(verdict("x", status=Status.ERROR), kind=Kind.GONE)
    (found,) = rows(reported(gone))

    assert (found.query, found.metric, found.word) == ("bank/x", "", "gone")


def test_start_up_is_shown_as_a_change() -> None:
    change = msgspec.structs.replace(work(100, 100), start_up_base=1e6, start_up_head=1.3e6)

    assert plain(row(change).start_up) == "+30.0 %"


@pytest.mark.parametrize("base", [None, 0.0, -40.0])
def test_start_up_without_a_ratio_is_left_out(base: float | None) -> None:
    change = msgspec.structs.replace(work(100, 100), start_up_base=base, start_up_head=5.0)

    assert row(change).start_up == ""


def test_the_geometric_mean_takes_judged_queries_only_identical_ones_too() -> None:
    new = msgspec.structs.replace(verdict("new", work(100, 300)), kind=Kind.NEW)
    found = means(
        reported(verdict("a", work(100, 121)), verdict("b", proven("instructions", 100, WORK)), new)
    )

    assert [(mean.metric, plain(mean.change)) for mean in found] == [("instructions", "+10.00 %")]


def test_changes_that_cancel_out_have_a_mean_of_exactly_0() -> None:
    (found,) = means(reported(verdict("a", work(100, 110)), verdict("b", work(110, 100))))

    assert plain(found.change) == "0 %"


def test_a_count_that_fell_to_nothing_does_not_break_the_mean() -> None:
    assert means(reported(verdict("a", work(100, 0, Status.ERROR)))) == ()


def test_the_worst_come_first_by_status_then_by_how_far_beyond_the_limit() -> None:
    found = worst_first(
        rows(
            reported(
                verdict("passes", work(100, 100)),
                verdict("fails", work(100, 102, Status.FAIL)),
                verdict("fails_more", work(100, 150, Status.FAIL)),
                verdict("lost", status=Status.ERROR),
            )
        )
    )

    assert [each.query for each in found] == [
        "bank/lost",
        "bank/fails_more",
        "bank/fails",
        "bank/passes",
    ]
    assert [each.query for each in worst(found, most=1)] == ["bank/fails_more"]


def test_a_metric_that_another_version_knew_is_shown_as_a_number() -> None:
    change = msgspec.structs.replace(work(1500, 3000), metric="requests")

    assert row(change).values == "1,500 → 3,000"


def test_only_a_change_beyond_the_limit_is_an_improvement() -> None:
    assert row(work(1000, 980)).improved
    assert not row(work(1000, 995)).improved
    assert not row(work(1000, 1005)).improved


@given(st.floats(min_value=-0.999, max_value=100), st.sampled_from([0.001, 0.01, 0.5]))
def test_every_change_has_its_sign_and_its_unit(delta: float, share: float) -> None:
    change = msgspec.structs.replace(work(100, 100), delta=delta, limit=Limit(share=share))

    shown = row(change).change
    assert shown.endswith("%")
    assert shown[0] == ("0" if delta == 0 else "+" if delta > 0 else "−")


def test_rows_keep_the_order_of_the_query_files() -> None:
    assert [each.query for each in rows(PASSED)] == [
        "bank/found",
        "bank/found",
        "bank/large",
        "bank/large",
    ]
    assert rows(report(Status.PASS, ())) == ()
