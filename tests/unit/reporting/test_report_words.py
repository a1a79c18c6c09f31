from __future__ import annotations

import msgspec
import pytest

from countci.model import Change, Kind, Report, Status, Verdict
from countci.reporting.words import exit_words, heading, named, tally, verdict
from tests import reports
from tests.reports import FAILED, IDENTICAL, SLOWNESS, WORK, proven, time, work

PASSES = reports.verdict("passes", work(1000, 1001))
WORSE = reports.verdict("worse", work(100, 150, Status.FAIL), status=Status.FAIL)
SLOW = reports.verdict(
    "slow",
    work(100, 150, Status.FAIL),
    time(1, 2, (0.9, 1.1), Status.FAIL),
    status=Status.FAIL,
)
LOST = reports.verdict("lost", status=Status.ERROR)
GONE = msgspec.structs.replace(LOST, kind=Kind.GONE)
UNCLEAR = reports.verdict("unclear", work(100, 10, Status.ERROR), status=Status.ERROR)
OPEN = reports.verdict(
    "open", time(1, 1.04, (-0.1, 0.1), Status.UNSETTLED), status=Status.UNSETTLED
)
EQUAL = reports.verdict("equal", proven("time", None, SLOWNESS), proven("instructions", 9, WORK))
NEW = msgspec.structs.replace(
    reports.verdict(
        "new",
        Change(
            metric="instructions", base=None, head=5, delta=None, limit=WORK, status=Status.PASS
        ),
    ),
    kind=Kind.NEW,
)
BETTER = reports.verdict("better", work(1000, 900))


def reported(*verdicts: Verdict) -> Report:
    order = list(Status)
    status = max((each.status for each in verdicts), key=order.index, default=Status.ERROR)
    return msgspec.structs.replace(FAILED, verdicts=verdicts, status=status)


@pytest.mark.parametrize(
    ("verdicts", "sentence"),
    [
        ([WORSE, PASSES], "1 of 2 queries does more work"),
        ([WORSE, SLOW, PASSES], "2 of 3 queries do more work, 1 takes longer"),
        ([WORSE], "1 of 1 query does more work"),
        ([LOST, PASSES], "1 of 2 queries was not measured"),
        (
            [LOST, LOST, GONE, WORSE],
            "2 of 4 queries were not measured, 1 is gone, 1 does more work",
        ),
        ([UNCLEAR, PASSES], "1 of 2 queries can't be judged"),
        ([OPEN, PASSES], "the data can't decide 1 of 2 queries"),
        ([PASSES], "1 query within its limits"),
        (
            [PASSES, BETTER, EQUAL, NEW],
            "3 queries within their limits, 1 improved, 1 identical, 1 new",
        ),
        ([EQUAL, EQUAL], "nothing changed for all 2 queries"),
        ([EQUAL], "nothing changed for 1 query"),
        ([NEW], "1 query is new, with nothing to be held against"),
        ([NEW, NEW], "2 queries are new, with nothing to be held against"),
        ([], "no query was measured"),
    ],
)
def test_the_verdict_is_a_sentence(verdicts: list[Verdict], sentence: str) -> None:
    assert verdict(reported(*verdicts)) == sentence


def test_a_metric_of_another_version_has_a_sentence_too() -> None:
    change = msgspec.structs.replace(work(100, 150, Status.FAIL), metric="memory")
    fails = reports.verdict("x", change, status=Status.FAIL)

    assert verdict(reported(fails)) == "1 of 1 query is worse in memory"


def test_the_tally_counts_each_query_once_worst_first() -> None:
    assert (
        tally(reported(PASSES, NEW, EQUAL, BETTER, OPEN, WORSE, SLOW, GONE, LOST))
        == "1 error, 1 gone, 2 fail, 1 unsettled, 1 improved, 1 pass, 1 identical, 1 new"
    )


@pytest.mark.parametrize(
    ("verdicts", "forgiven", "words"),
    [
        ([PASSES], False, "exit 0"),
        ([WORSE], False, "exit 1"),
        ([LOST], False, "exit 3"),
        ([OPEN], False, "exit 4"),
        ([OPEN], True, "exit 0"),
        ([WORSE], True, "exit 1"),
    ],
)
def test_the_exit_code_is_told(verdicts: list[Verdict], forgiven: bool, words: str) -> None:  # noqa: FBT001
    report = msgspec.structs.replace(reported(*verdicts), unsettled_passes=forgiven)

    assert exit_words(report) == words


def test_many_names_are_the_first_ones_and_a_number() -> None:
    names = [verdict.query for verdict in IDENTICAL.verdicts]

    assert named(names) == "bank/query_00, bank/query_01, bank/query_02 and 5 more"
    assert named(names[:4]) == "bank/query_00, bank/query_01, bank/query_02 and bank/query_03"
    assert named(names[:1]) == "bank/query_00"
    assert named([]) == ""


def test_a_heading_says_what_one_of_the_metric_is() -> None:
    assert heading("instructions") == "Instructions per ask"
    assert heading("time") == "Time per ask"
    assert heading("memory") == "Memory"
