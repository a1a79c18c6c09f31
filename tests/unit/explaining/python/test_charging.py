from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from countci.explaining.python.charging import by_name, charges
from countci.explaining.python.flow import Flow
from countci.explaining.python.pairing import Pair
from tests.unit.explaining.python.asked import function


def graph(
    costs: dict[str, tuple[int, int]],
    calls: dict[tuple[str | None, str], tuple[int, int]],
    changed: frozenset[str] = frozenset(),
) -> Flow:
    """Return a graph whose pairs have their names as keys."""
    pairs = {}
    for name, (before, after) in costs.items():
        called = [both for (_, callee), both in calls.items() if callee == name]
        base = function(name, sum(both[0] for both in called), before)
        digest = "other" if name in changed else "same"
        head = function(name, sum(both[1] for both in called), after, digest)
        pairs[name] = Pair(key=name, base=base, head=head)
    return Flow(pairs=pairs, costs=costs, calls=calls, foreign={}, unit="byte codes")


NAMES = ("a", "b", "c", "d")
COUNTS = st.tuples(st.integers(0, 30), st.integers(0, 30))


@settings(max_examples=300)
@given(
    st.dictionaries(st.sampled_from(NAMES), COUNTS, min_size=4),
    st.dictionaries(st.tuples(st.sampled_from((None, *NAMES)), st.sampled_from(NAMES)), COUNTS),
    st.frozensets(st.sampled_from(NAMES)),
)
def test_what_is_charged_is_the_whole_difference(
    costs: dict[str, tuple[int, int]],
    calls: dict[tuple[str | None, str], tuple[int, int]],
    changed: frozenset[str],
) -> None:
    flow = graph(costs, calls, changed)
    whole = sum(after - before for before, after in costs.values())

    assert sum(charges(flow).values()) == whole
    assert sum(by_name(flow, charges(flow)).values()) == whole


@given(
    st.dictionaries(st.sampled_from(NAMES), st.integers(0, 30), min_size=4),
    st.dictionaries(
        st.tuples(st.sampled_from((None, *NAMES)), st.sampled_from(NAMES)), st.integers(0, 30)
    ),
)
def test_equal_sides_charge_nobody(
    costs: dict[str, int], calls: dict[tuple[str | None, str], int]
) -> None:
    flow = graph(
        {name: (cost, cost) for name, cost in costs.items()},
        {edge: (times, times) for edge, times in calls.items()},
    )

    assert charges(flow) == {}


def test_a_dearer_call_is_charged_to_the_function_itself() -> None:
    flow = graph({"a": (10, 10), "b": (50, 60)}, {(None, "a"): (1, 1), ("a", "b"): (5, 5)})

    assert charges(flow) == {"b": Fraction(10)}


def test_more_calls_are_charged_to_the_caller_that_makes_them() -> None:
    flow = graph({"a": (10, 10), "b": (50, 80)}, {(None, "a"): (1, 1), ("a", "b"): (5, 8)})

    assert charges(flow) == {"a": Fraction(30)}


def test_more_calls_of_a_caller_are_charged_further_up() -> None:
    flow = graph(
        {"a": (10, 10), "b": (20, 40), "c": (20, 40)},
        {(None, "a"): (1, 1), ("a", "b"): (2, 4), ("b", "c"): (4, 8)},
    )

    assert charges(flow) == {"a": Fraction(40)}


def test_dearer_and_more_often_are_told_apart() -> None:
    flow = graph({"a": (0, 0), "b": (10, 24)}, {(None, "a"): (1, 1), ("a", "b"): (5, 8)})

    assert charges(flow) == {"a": Fraction(9), "b": Fraction(5)}


def test_of_functions_in_a_circle_the_changed_one_is_charged() -> None:
    flow = graph(
        {"a": (10, 30), "b": (10, 40)},
        {(None, "a"): (1, 1), ("a", "b"): (5, 9), ("b", "a"): (5, 9)},
        changed=frozenset({"a"}),
    )

    assert charges(flow) == {"a": Fraction(50)}


def test_a_function_within_a_changed_one_is_part_of_it() -> None:
    inner = "a.<locals>.<lambda>"
    calls: dict[tuple[str | None, str], tuple[int, int]] = {
        (None, "a"): (1, 1),
        ("a", inner): (2, 2),
    }
    costs = {"a": (10, 12), inner: (4, 8)}

    assert by_name(graph(costs, calls), charges(graph(costs, calls))) == {"a": 2, inner: 4}
    changed = graph(costs, calls, frozenset({"a"}))
    assert by_name(changed, charges(changed)) == {"a": 6}
