from __future__ import annotations

import pytest
from msgspec.structs import replace

from countci.judging import accept, add_drift, unused_acceptances, worst
from countci.model import (
    Acceptance,
    Baseline,
    Comparison,
    Kind,
    Limit,
    Output,
    Reason,
    Recorded,
    RecordedQuery,
    Report,
    Status,
    Verdict,
)
from countci.reporting import REPORTERS, Look, words
from countci.reporting.github import annotate
from tests.conftest import Golden
from tests.reports import FINGERPRINT, compared, query, report, verdict, work

TIMES = (0.0612, 0.0614)
GONE = Verdict(
    query="bank/old",
    kind=Kind.GONE,
    status=Status.ERROR,
    changes=(),
    reasons=(Reason(code="gone", text="gone: base's query files have it, head's don't"),),
)
JUDGED = (
    verdict("field", work(1_000_000, 1_024_000, Status.FAIL), status=Status.FAIL),
    verdict("found", work(1_000_000, 1_052_000, Status.FAIL), status=Status.FAIL),
    verdict("ranks", work(1_000_000, 1_009_000)),
    GONE,
)
COMPARISONS = (
    compared("field", 1_000_000, 1_024_000, TIMES),
    compared("found", 1_000_000, 1_052_000, TIMES),
    compared("ranks", 1_000_000, 1_009_000, TIMES),
    Comparison(query=query("old"), kind=Kind.GONE),
)


def acceptance(name: str, metric: str | None, share: float, reason: str) -> Acceptance:
    return Acceptance(
        commit="0b5fa1d0" * 5, query=name, metric=metric, share=share, reason=reason, line=""
    )


ACCEPTANCES = (
    acceptance("bank/field", "instructions", 0.025, "the index is rebuilt"),
    acceptance("bank/found", "instructions", 0.05, "it now finds everything"),
    acceptance("bank/ranks", "time", 0.05, "ranks are sorted twice"),
    acceptance("bank/old", None, 0.0, "bank/found replaces it"),
)


def recorded(per_ask: float) -> RecordedQuery:
    return RecordedQuery(
        digest="d" * 64,
        output=Output(digest="aa", size=12),
        metrics={"instructions": Recorded(per_ask=per_ask, start_up=1e6, asks=(1, 11))},
    )


BASELINE = Baseline(
    sha="7c1e0aa2" * 5,
    subject="Load the bank once",
    fingerprint=FINGERPRINT.platform,
    queries={"bank/field": recorded(1_000_000), "bank/ranks": recorded(930_000)},
)


def accepted() -> Report:
    """Return a report with everything that can be accepted, and with drift."""
    queries = [comparison.query for comparison in COMPARISONS]
    drifted = add_drift(JUDGED, COMPARISONS, BASELINE, Limit(share=0.05))
    verdicts = accept(drifted, ACCEPTANCES, queries)
    judged = tuple(zip(COMPARISONS, verdicts, strict=True))
    status = worst(each.status for each in verdicts)
    return report(status, judged, unused_acceptances(JUDGED, ACCEPTANCES))


def test_what_is_accepted_beyond_it_unused_gone_and_drifted_reads_as_recorded(
    golden: Golden,
) -> None:
    text = REPORTERS["terminal"].render(accepted(), Look(width=100, colour=False))

    golden("tests/golden/accepted.txt", text)


def all_accepted() -> Report:
    enough = [replace(each, share=each.share and 0.06) for each in ACCEPTANCES]
    verdicts = accept(JUDGED, enough, [comparison.query for comparison in COMPARISONS])
    judged = tuple(zip(COMPARISONS, verdicts, strict=True))
    return report(worst(each.status for each in verdicts), judged)


def test_a_report_in_which_all_is_accepted_passes() -> None:
    assert all_accepted().status is Status.PASS


def test_what_is_accepted_is_not_said_to_be_within_its_limits() -> None:
    found = all_accepted()

    assert words.verdict(found) == "1 query within its limits, 2 accepted, 1 gone as accepted"
    assert words.tally(found) == "1 gone, 2 accepted, 1 pass"


def test_where_nothing_but_what_is_accepted_is_left_nothing_is_within_its_limits() -> None:
    found = all_accepted()
    left = replace(found, verdicts=found.verdicts[:2], comparisons=found.comparisons[:2])

    assert words.verdict(left) == "2 queries are beyond their limits, as accepted"


@pytest.mark.parametrize("name", ["terminal", "markdown", "html", "junit"])
def test_a_row_that_is_accepted_says_so_wherever_it_is_shown(name: str) -> None:
    text = REPORTERS[name].render(all_accepted(), Look(width=100, colour=False))

    line = next(line for line in text.splitlines() if "+2.40" in line)
    assert "accepted" in line
    assert "pass" not in line


def test_a_reviewer_sees_what_was_accepted_among_the_annotations() -> None:
    first, second = annotate(all_accepted())

    assert (first.level, second.level) == ("notice", "notice")
    assert first.title == "countci: bank/field, accepted"
    assert first.message.startswith("instructions +2.40")


def test_the_page_of_a_pull_request_shows_what_was_accepted_before_what_is_folded() -> None:
    page = REPORTERS["markdown"].render(all_accepted(), Look(width=100, colour=False))

    assert "| accepted |" in page.partition("<details>")[0]
