from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci import queries
from countci.errors import UsageError
from countci.model import CommandWork, PythonWork, Query, Suites
from countci.queries import Place
from countci.units import Seconds

PLACE = Place(tree=Path("/stage"), work=Path("/work"), queries=Path("/q"), env={})
LOAD = """
[query.load]
command = "./bank load -c {clients} {n}"
env.CLIENTS = "{clients} of {work}"
sweep.clients = [20, 30, 60]
[query.field]
command = "./bank field {n}"
"""


def load(text: str, **files: str) -> Suites:
    found = {"bank.toml": text, **{name.replace("_", "."): text for name, text in files.items()}}
    data = {name: text.encode() for name, text in found.items()}
    return queries.load(data, folder="queries", limits={})


def ids(text: str) -> list[str]:
    return [query.id for query in load(text).queries]


def refused(text: str) -> str:
    with pytest.raises(UsageError) as caught:
        load(text)
    return str(caught.value)


def argv(query: Query) -> tuple[str, ...]:
    return queries.command(query, PLACE, 7).argv


def test_a_sweep_is_one_query_of_each_value_in_their_order() -> None:
    found = load(LOAD).queries

    assert [query.id for query in found] == [
        "bank/load[clients=20]",
        "bank/load[clients=30]",
        "bank/load[clients=60]",
        "bank/field",
    ]
    assert [query.sweep for query in found[1::2]] == [{"clients": "30"}, {}]
    assert {query.sweep_id for query in found} == {"bank/load", "bank/field"}


def test_the_value_stands_in_command_and_environment_beside_other_placeholders() -> None:
    asked = queries.command(load(LOAD).queries[1], PLACE, 7)

    assert asked.argv == ("./bank", "load", "-c", "30", "7")
    assert asked.env == {"CLIENTS": "30 of /work/bank"}


def test_each_value_may_have_a_file_of_its_own_as_its_input() -> None:
    text = '[query.read]\ncommand = "./bank"\nstdin = "{size}.txt"\nsweep.size = ["big", "small"]\n'

    found = load(text, big_txt="x" * 100, small_txt="x").queries

    assert [query.work.stdin for query in found] == ["big.txt", "small.txt"]
    assert len({query.digest for query in found}) == 2


def test_two_sweeps_are_their_product() -> None:
    text = '[query.a]\ncommand = "./a {x} {y}"\nsweep.x = [1, 2]\nsweep.y = ["s", 0.5]\n'

    assert ids(text) == [
        "bank/a[x=1,y=s]",
        "bank/a[x=1,y=0.5]",
        "bank/a[x=2,y=s]",
        "bank/a[x=2,y=0.5]",
    ]


def test_other_kinds_have_sweeps_too() -> None:
    text = '[query.a]\nkind = "python"\nfunction = "bank:{what}"\nsweep.what = ["load", "field"]\n'

    works = [query.work for query in load(text).queries]

    assert works == [PythonWork(function="bank:load"), PythonWork(function="bank:field")]


def test_a_value_that_stands_alone_is_the_number_itself() -> None:
    text = '[query.a]\ncommand = "./a"\ntimeout = "{most}"\nsweep.most = [5, 7]\n'

    assert [query.timeout for query in load(text).queries] == [Seconds(5), Seconds(7)]


def test_braces_that_stand_for_themselves_still_do() -> None:
    text = '[query.a]\ncommand = "./a {{c}} {c}"\nsweep.c = [1]\n'

    assert argv(load(text).queries[0]) == ("./a", "{c}", "1")


@pytest.mark.parametrize(
    ("pattern", "count"),
    [("bank/load", 3), ("bank/load[clients=20]", 1), ("bank", 4), ("bank/f*", 1), ("bank/l*", 3)],
)
def test_a_name_without_values_means_all_of_them(pattern: str, count: int) -> None:
    assert len(queries.select(load(LOAD), [pattern])) == count


def test_a_file_without_a_sweep_asks_what_it_always_did() -> None:
    query = load('[query.field]\ncommand = "./bank {n}"\n').queries[0]

    assert (query.name, query.sweep, query.work) == (
        "field",
        {},
        CommandWork(command="./bank {n}"),
    )


@pytest.mark.parametrize(
    ("sweep", "said"),
    [
        ("sweep.c = []", "bank.toml:3: query.a.sweep.c: expected an array of values"),
        ("sweep.c = 3", "expected an array of values"),
        ("sweep = 3", "query.a.sweep: expected a table"),
        ("sweep.n = [1]", "'n' can't be the name of a sweep"),
        ("sweep.'a b' = [1]", "'a b' can't be the name of a sweep"),
        ("sweep.c = [1, 1]", "name each value once"),
        ("sweep.c = ['a b']", "'a b' is no value"),
        ("sweep.c = ['{n}']", "'{n}' is no value"),
        ("sweep.c = [[1]]", "'[1]' is no value"),
        ("sweep.d = [1]", "{d} stands nowhere in the query"),
        ("sweeep.c = [1]", 'no such key; did you mean "sweep"?'),
    ],
)
def test_a_slip_in_a_sweep_is_an_error_with_its_place(sweep: str, said: str) -> None:
    assert said in refused(f'[query.a]\ncommand = "./a {{c}}"\n{sweep}\n')


def test_far_too_many_queries_are_a_slip() -> None:
    axes = "".join(f"sweep.{axis} = {list(range(20))}\n" for axis in "xy")

    assert "400 queries" in refused(f'[query.a]\ncommand = "./a {{x}} {{y}}"\n{axes}')


def test_an_unknown_placeholder_of_a_swept_query_is_named_with_its_line() -> None:
    text = '[query.a]\nsweep.c = [1]\ncommand = "./a {c} {d}"\n'

    assert "queries/bank.toml:3" in refused(text)


@given(st.lists(st.integers(min_value=0, max_value=10**9), min_size=1, max_size=6, unique=True))
def test_every_value_reaches_its_own_query(values: list[int]) -> None:
    found = load(f'[query.a]\ncommand = "./a {{c}}"\nsweep.c = {values}\n').queries

    assert [argv(query)[1] for query in found] == [str(value) for value in values]
    assert len({query.digest for query in found}) == len(values)
