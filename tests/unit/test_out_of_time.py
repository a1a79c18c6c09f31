"""A comparison whose time is over: nothing that was not measured is called new, or passes."""

from __future__ import annotations

from countci import judging, pipeline, process
from countci.model import Comparison, Kind, Status
from countci.units import Seconds
from tests.reports import query


def test_new_is_an_error_when_base_may_only_have_lacked_the_time() -> None:
    new = Comparison(query=query("bank/field"), kind=Kind.NEW)

    with process.within(Seconds(60.0)) as deadline:
        late = pipeline._not_new(new, deadline)

    assert judging.judge(late).status is Status.ERROR
    assert late.problem is not None
    assert late.problem.problem.startswith("not measured within 60")


def test_whatever_else_is_known_stays_as_it_is() -> None:
    both = Comparison(query=query("bank/field"))

    with process.within(Seconds(60.0)) as deadline:
        assert pipeline._not_new(both, deadline) is both
