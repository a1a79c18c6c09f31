from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from countci.explaining.attributing import (
    Attribution,
    Call,
    Called,
    Costs,
    Place,
    attribute,
    costs,
    rename,
    renamed,
)
from tests.unit.explaining.programs import Body, Program, graph

NAMES = ["main", "a", "b", "c", "malloc", "d", "e"]


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Functions that call later ones only, so that costs add up; all may be missing but main."""
    used = ["main", *(name for name in NAMES[1:] if draw(st.booleans()))]
    program = {}
    for at, name in enumerate(used):
        costs = draw(st.lists(st.integers(1, 60), min_size=1, max_size=3))
        calls: dict[str | int, list[tuple[str, int]]] = {}
        for callee in used[at + 1 :]:
            times = draw(st.integers(0, 3))
            if times:
                calls[draw(st.integers(1, 2)) * 100 + len(calls)] = [(callee, times)]
        own: dict[str | int, int] = {10 * at + step: cost for step, cost in enumerate(costs, 1)}
        program[name] = Body(file="x.c", own=own, calls=calls)
    return program


def of(program: Program, *, asks: int = 2) -> Costs:
    return costs(graph(program, {}, asks=asks), lambda row: Place(row.file, row.line))


def total(costs: Costs) -> float:
    return sum(map(costs.total, costs.own))


def attributed(base: Program, head: Program, *touched: str) -> Attribution:
    return attribute(of(base), of(head), touched, lambda _caller, _callee: False)


@given(programs(), programs(), st.sets(st.sampled_from(NAMES)), st.sets(st.sampled_from(NAMES)))
def test_items_sum_to_the_difference_to_the_instruction(
    base: Program, head: Program, touched: set[str], opaque: set[str]
) -> None:
    found = attribute(
        of(base), of(head), touched, lambda caller, callee: caller in opaque and callee == "malloc"
    )

    whole = total(of(head)) - total(of(base))
    assert abs(sum(item.delta for item in found.items) - whole) < 0.01
    assert abs(found.rest) < 0.01


@given(programs(), st.sets(st.sampled_from(NAMES)))
def test_equal_sides_give_no_item(program: Program, touched: set[str]) -> None:
    assert attributed(program, program, *touched).items == ()


@given(programs(), st.sets(st.sampled_from(NAMES)))
def test_equal_asks_counted_in_other_numbers_give_no_item(
    program: Program, touched: set[str]
) -> None:
    found = attribute(
        of(program, asks=2), of(program, asks=40), touched, lambda _caller, _callee: False
    )

    assert found.items == ()


def program(**bodies: Body) -> Program:
    return bodies


def body(cost: int, **calls: int) -> Body:
    return Body(
        file="x.c", own={cost: cost}, calls={at: [each] for at, each in enumerate(calls.items(), 1)}
    )


def deltas(found: Attribution) -> dict[tuple[str, str | None], float]:
    result: dict[tuple[str, str | None], float] = {}
    for item in found.items:
        key = (item.function, item.callee)
        result[key] = result.get(key, 0.0) + item.delta
    return result


def test_more_calls_belong_to_the_caller_and_dearer_calls_to_the_callee() -> None:
    base = program(main=body(1, f=1), f=body(10, g=4), g=body(5))
    head = program(main=body(1, f=1), f=body(10, g=6), g=body(7))

    found = attributed(base, head, "f", "g")

    assert deltas(found) == {("f", "g"): 2 * 5, ("g", None): 6 * 2}


def test_what_a_clean_callee_costs_more_belongs_to_the_line_that_calls_it() -> None:
    base = program(main=body(1, f=1), f=body(10, g=4), g=body(5))
    head = program(main=body(1, f=1), f=body(10, g=4), g=body(7))

    assert deltas(attributed(base, head, "f")) == {("f", "g"): 4 * 2}


def test_a_function_called_more_often_costs_its_caller_all_that_it_does() -> None:
    base = program(main=body(1, f=1), f=body(10, g=4), g=body(5))
    head = program(main=body(1, f=3), f=body(10, g=4), g=body(5))

    assert deltas(attributed(base, head, "main", "f", "g")) == {("main", "f"): 2 * 30}


def test_a_new_function_is_paid_for_by_its_caller() -> None:
    base = program(main=body(1, f=1), f=body(10))
    head = program(main=body(1, f=1), f=body(10, new=2), new=body(30, f2=1), f2=body(5))

    assert deltas(attributed(base, head, "f")) == {("f", "new"): 2 * 35}


def test_calls_that_moved_to_another_function_cancel_out() -> None:
    base = program(main=body(1, f=1, g=1), f=body(10, h=9), g=body(20, h=1), h=body(7))
    head = program(main=body(1, f=1, g=1), f=body(10, h=1), g=body(20, h=11), h=body(7))

    assert deltas(attributed(base, head, "f", "g", "h")) == {("g", "h"): 2 * 7}


def test_functions_that_call_each_other_are_one() -> None:
    """Odd calls even and even calls odd: their calls of each other are no items."""

    def recursive(cost: int) -> Costs:
        result = Costs()
        result.add_own("main", Place("x.c", 1), 3)
        result.add_own("odd", Place("x.c", 2), 5 * cost)
        result.add_own("even", Place("x.c", 3), 5 * 20)
        for caller, callee, number in (("main", "odd", 1), ("odd", "even", 5), ("even", "odd", 4)):
            call = Call(Place("x.c", 9), callee)
            result.add_call(caller, call, Called(number, 5 * cost + 5 * 20))
        return result

    found = attribute(recursive(10), recursive(14), {"odd"}, lambda _caller, _callee: False)

    assert deltas(found) == {("odd", None): 5 * 4}
    assert found.rest == 0


def test_a_renamed_function_is_the_same_one() -> None:
    base = program(main=body(1, f=2), f=body(10))
    head = program(main=body(1, better=2), better=Body(file="x.c", own={10: 12}))

    names = renamed(of(base), of(head))

    assert names == {"f": "better"}
    found = attribute(rename(of(base), names), of(head), {"better"}, lambda _a, _b: False)
    assert deltas(found) == {("better", None): 2 * 2}


def test_a_function_with_another_signature_is_the_same_one() -> None:
    base = {"main": body(1, **{"ns::put(int)": 2}), "ns::put(int)": Body(own={0: 10})}
    head = {"main": body(1, **{"ns::put(long)": 2}), "ns::put(long)": Body(own={0: 12})}

    assert renamed(of(base), of(head)) == {"ns::put(int)": "ns::put(long)"}


def test_a_function_that_is_inlined_now_is_part_of_its_caller_on_both_sides() -> None:
    base = program(main=body(1, f=1), f=body(10, g=4), g=body(5, h=1), h=body(7))
    inlined = Body(file="x.c", own={10: 10, 5: 4 * 4}, calls={1: [("h", 4)]})
    head = program(main=body(1, f=1), f=inlined, h=body(7))

    found = attributed(base, head, "f")

    assert deltas(found) == {("f", None): -4}
    assert [(each.inner, each.outer, each.now) for each in found.inlined] == [("g", "f", True)]


def test_what_ran_before_the_asks_at_base_stands_for_itself() -> None:
    """No call of it belongs to an ask at base, so there is no price of one."""
    base, head = of(program(main=body(5))), of(program(main=body(5), f=body(40)))
    base.add_own("f", Place("x.c", 40), 25)
    head.add_call("main", Call(Place("x.c", 1), "f"), Called(3, 40))

    found = attribute(base, head, {"f"}, lambda _caller, _callee: False)

    assert sum(item.delta for item in found.items) == total(head) - total(base)
    assert found.rest == 0
