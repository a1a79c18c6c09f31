"""Which comparisons are explained."""

from __future__ import annotations

from msgspec.structs import replace

from countci.measuring import worth
from countci.model import Status
from tests.reports import FAILED, SLOWER, compared, verdict, work


def test_what_failed_by_its_instructions_is_explained_and_nothing_else() -> None:
    found = worth.failing(FAILED.verdicts, FAILED.comparisons)

    assert [each.query.id for each in found] == ["bank/field"]


def test_the_worst_comes_first_and_not_every_one_is_explained() -> None:
    names = [f"query_{number}" for number in range(12)]
    comparisons = [compared(name, 1_000, 1_000 + 20 * at, (1, 1)) for at, name in enumerate(names)]
    verdicts = [
        verdict(name, work(1_000, 1_000 + 20 * at, Status.FAIL), status=Status.FAIL)
        for at, name in enumerate(names)
    ]

    found = worth.failing(verdicts, comparisons)
    assert len(found) == worth.MOST
    assert found[0].query.id == "bank/query_11"


def test_what_is_asked_for_is_explained_when_it_moved_at_all() -> None:
    field, found, *_ = SLOWER.comparisons
    equal = replace(found, head=found.base)

    assert worth.moved((field, found, equal)) == (field, found)


def test_what_has_no_count_on_a_side_is_not_explained() -> None:
    field = SLOWER.comparisons[0]

    assert worth.moved((replace(field, head=None),)) == ()
    assert worth.failing(SLOWER.verdicts, (replace(field, base=None),)) == ()
