"""A comparison whose time is over: nothing that was not measured is called new, or passes."""

from __future__ import annotations

from typing import cast

import pytest
from msgspec.structs import replace

from countci import judging, process
from countci.measuring import explained, late
from countci.measuring.bench import Bench
from countci.model import Build, Comparison, Explanation, Kind, Problem, Reason, Status
from countci.process import Deadline
from countci.reporting import words
from countci.reporting.reasons import reasons
from countci.units import Seconds
from tests.reports import compared, query, report

BENCH = cast("Bench", None)
BUILDS = (cast("Build", None), cast("Build", None))


def over() -> Deadline:
    """Return a deadline that has come, and kept something from being measured."""
    found = Deadline()
    with found.within(Seconds(0.0)):
        found.cut = True
        return found


def counted(name: str) -> Comparison:
    """Return a query that was counted, and for whose time there was none."""
    late_ = Problem.of(over().error(f"./bank {name}"))
    problem = replace(late_, problem=f"{late_.problem} on base or head")
    found = compared(name, 1_000_000, 1_000_000, (1.0, 1.0))
    return replace(found, samples=None, problem=problem)


def test_new_is_an_error_when_base_may_only_have_lacked_the_time() -> None:
    new = Comparison(query=query("bank/field"), kind=Kind.NEW)

    (found,) = late.told([new], over())

    assert judging.judge(found).status is Status.ERROR
    assert found.problem is not None
    assert found.problem.problem.startswith("not measured within")


def test_whatever_else_is_known_stays_as_it_is() -> None:
    both = Comparison(query=query("bank/field"))
    other = replace(both, problem=Problem(problem="exit status 1 on base"))

    assert late.told([both, other], over()) == (both, other)


def test_what_is_new_stays_new_while_there_is_time() -> None:
    new = Comparison(query=query("bank/field"), kind=Kind.NEW)

    assert late.told([new], Deadline()) == (new,)


def test_the_advice_is_given_once_whichever_command_was_cut() -> None:
    every = late.told([counted("field"), counted("found")], over())

    judged = tuple((each, judging.judge(each)) for each in every)
    (paragraph,) = [each for each in reasons(report(Status.ERROR, judged)) if each.bad]
    assert paragraph.queries == ("bank/field", "bank/found")


def test_the_sentence_says_that_only_time_was_not_measured() -> None:
    every = late.told([counted("field"), counted("found")], over())
    judged = tuple((each, judging.judge(each)) for each in every)

    assert words.verdict(report(Status.ERROR, judged)) == "time of 2 queries was not measured"


def test_what_has_no_number_at_all_is_not_measured() -> None:
    nothing = replace(counted("field"), base=None, head=None)
    every = late.told([nothing, counted("found")], over())
    judged = tuple((each, judging.judge(each)) for each in every)

    sentence = "1 of 2 queries was not measured, time of 1 query was not measured"
    assert words.verdict(report(Status.ERROR, judged)) == sentence


def test_nothing_is_explained_once_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> tuple[Explanation, ...]:
        raise AssertionError("explained")

    monkeypatch.setattr(explained, "add", never)
    with process.within(Seconds(0.0)) as deadline:
        told = late.explain(BENCH, [counted("field"), counted("found")], BUILDS, deadline)

    assert told.explanations == ()
    (notice,) = told.notices
    assert notice.text == "2 queries are not explained: the time of --max-time was over"


def test_what_was_explained_when_the_time_ended_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Explanation(query="bank/field", base=1.0, head=2.0)
    cut = replace(whole, query="bank/found", notes=(Reason(code="not-explained", text="late"),))
    with process.within(Seconds(1000.0)) as deadline:

        def until_the_end(*_: object) -> tuple[Explanation, ...]:
            deadline._end = 0.0
            return whole, cut

        monkeypatch.setattr(explained, "add", until_the_end)
        told = late.explain(BENCH, [counted("field"), counted("found")], BUILDS, deadline)

    assert told.explanations == (whole,)
    assert [each.text.partition(":")[0] for each in told.notices] == ["1 query is not explained"]


def test_with_time_left_everything_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Explanation(query="bank/field", base=1.0, head=2.0)
    monkeypatch.setattr(explained, "add", lambda *_: (whole,))

    told = late.explain(BENCH, [counted("field")], BUILDS, Deadline())

    assert told == late.Told(explanations=(whole,))
