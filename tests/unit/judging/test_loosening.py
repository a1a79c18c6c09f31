from __future__ import annotations

from msgspec.structs import replace

from countci import judging
from countci.judging import LOOSENED
from countci.model import Change, Comparison, Identity, Limit, Loosened, Status, Verdict
from countci.reporting import REPORTERS, Look, words
from countci.reporting.github import outputs
from tests.reports import WORK, compared, query, report

TIMES = (1.0, 1.0)
LOOSE = {"instructions": Limit(share=1.0), "time": Limit(share=1.0)}
TEXT = "bank/field: the limit of instructions was loosened from 1 % to 100 %"


def under_loose_limits(name: str, head: int) -> Comparison:
    found = compared(name, 1_000_000, head, TIMES)
    asked = replace(query(name), limits=LOOSE, metrics=("instructions",))
    return replace(found, query=asked, samples=None)


def loosened(name: str) -> Loosened:
    return Loosened(query=name, metric="instructions", base=WORK, text=TEXT)


def marked(comparisons: list[Comparison], *limits: Loosened) -> tuple[Verdict, ...]:
    return judging.mark_loosened(list(map(judging.judge, comparisons)), comparisons, limits)


FIELD, FOUND = under_loose_limits("field", 1_888_700), under_loose_limits("found", 1_000_000)


def test_the_notice_says_what_bases_limit_would_have_said() -> None:
    verdicts = marked([FIELD, FOUND], loosened("bank/field"))

    (notice,) = judging.loosened_notices(verdicts, [loosened("bank/field")])

    assert notice.code == LOOSENED
    assert notice.text.replace("\N{NO-BREAK SPACE}", " ") == (
        f"{TEXT}; held against base's limit, +88.87 % is a failure"
    )


def test_the_verdict_itself_is_that_of_heads_limit() -> None:
    field, found = marked([FIELD, FOUND], loosened("bank/field"))

    assert (field.status, found.status) == (Status.PASS, Status.PASS)
    assert found == judging.judge(FOUND)


def test_what_moved_little_would_have_passed_too() -> None:
    verdicts = marked([FOUND], loosened("bank/found"))

    (notice,) = judging.loosened_notices(verdicts, [loosened("bank/found")])
    assert notice.text.endswith(" is a pass")


def test_of_a_suite_the_tests_that_would_have_failed_are_counted() -> None:
    limit = loosened("bank")
    verdicts = marked([FIELD, FOUND, under_loose_limits("more", 1_500_000)], limit)

    (notice,) = judging.loosened_notices(verdicts, [limit])
    assert notice.text.endswith("held against base's limit, 2 of 3 tests fail")


def test_what_was_not_measured_is_noticed_without_a_number() -> None:
    limit = loosened("bank/other")

    (notice,) = judging.loosened_notices(marked([FIELD], limit), [limit])
    assert notice.text == TEXT


def test_the_sentence_and_the_output_of_the_action_say_it() -> None:
    limits = (loosened("bank/field"), loosened("bank/found"))
    more = under_loose_limits("more", 1_000_001)
    comparisons = [FIELD, FOUND, more]
    judged = tuple(zip(comparisons, marked(comparisons, *limits), strict=True))
    found = report(Status.PASS, judged, judging.loosened_notices(judged_verdicts(judged), limits))

    sentence = "3 queries within their limits, of which 2 were loosened by this change"
    assert words.verdict(found) == sentence
    assert outputs(found, result="result.json")["summary"] == sentence


def test_of_one_query_and_of_other_outcomes_it_is_said_too() -> None:
    (field,) = marked([FIELD], loosened("bank/field"))
    one = report(Status.PASS, ((FIELD, field),))
    failed = replace(field, status=Status.FAIL, changes=_failed(field))
    same = replace(FOUND, identity=Identity(differs=()), head=None)
    (proven,) = marked([same], loosened("bank/found"))

    assert words.verdict(one) == "1 query within its limits, loosened by this change"
    assert words.verdict(report(Status.FAIL, ((FIELD, failed),))) == (
        "1 of 1 query does more work, limits of 1 loosened by this change"
    )
    assert words.verdict(report(Status.PASS, ((same, proven),))) == (
        "nothing changed for 1 query, limits of 1 loosened by this change"
    )


def test_a_page_says_it_once() -> None:
    limit = loosened("bank/field")
    judged = tuple(zip([FIELD], marked([FIELD], limit), strict=True))
    found = report(Status.PASS, judged, judging.loosened_notices(judged_verdicts(judged), [limit]))

    text = REPORTERS["markdown"].render(found, Look(width=100, colour=False))

    assert text.count("is a failure") == 1


def judged_verdicts(judged: tuple[tuple[Comparison, Verdict], ...]) -> list[Verdict]:
    return [verdict for _, verdict in judged]


def _failed(verdict: Verdict) -> tuple[Change, ...]:
    return tuple(replace(change, status=Status.FAIL) for change in verdict.changes)
