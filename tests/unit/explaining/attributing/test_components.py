from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from countci.explaining.attributing.components import components

NODES = "abcdefg"
GRAPHS = st.dictionaries(st.sampled_from(NODES), st.sets(st.sampled_from(NODES)))


def reached(calls: dict[str, set[str]], start: str) -> set[str]:
    found, waiting = {start}, [start]
    while waiting:
        new = calls.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found


@given(GRAPHS)
def test_nodes_that_reach_each_other_are_one_component(calls: dict[str, set[str]]) -> None:
    found = components(NODES, calls)

    below = {node: reached(calls, node) for node in NODES}
    for one in NODES:
        for other in NODES:
            together = other in below[one] and one in below[other]
            assert (found[one] == found[other]) == together


@given(GRAPHS)
def test_a_callee_has_never_a_larger_number_than_its_caller(calls: dict[str, set[str]]) -> None:
    found = components(NODES, calls)

    for caller, callees in calls.items():
        assert all(found[callee] <= found[caller] for callee in callees)


def test_a_call_chain_deeper_than_the_interpreter_allows_is_no_problem() -> None:
    calls = {str(number): {str(number + 1)} for number in range(5000)}

    assert len(set(components(calls, calls).values())) == 5001
