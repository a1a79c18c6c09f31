"""The kind `pytest`: what a query file says, and what a test of the suite is called."""

from __future__ import annotations

from pathlib import Path

import pytest

from countci import queries
from countci.errors import UsageError
from countci.inside.chosen import Chosen
from countci.model import Query, Suites
from countci.queries import Place

SUITE = '[query.bench]\nkind = "pytest"\nargs = ["benchmarks", "-k", "fast"]\n'
TEST = "benchmarks/test_a.py::test_size[10]"


def load(text: str) -> Suites:
    return queries.load({"shop.toml": text.encode()}, folder="queries", limits={})


@pytest.fixture
def suite() -> Query:
    return load(SUITE).queries[0]


def test_a_suite_is_counted_and_not_timed(suite: Query) -> None:
    assert suite.metrics == ("instructions",)
    assert suite.collects


def test_asking_for_time_is_an_error_that_says_so() -> None:
    with pytest.raises(UsageError, match="counted, not timed"):
        load(SUITE + 'metrics = ["instructions", "time"]\n')


def test_a_suite_that_collects_nothing_is_an_error() -> None:
    with pytest.raises(UsageError, match="nothing to collect"):
        load('[query.bench]\nkind = "pytest"\nargs = []\n')


def test_a_test_has_an_id_and_a_digest_of_its_own(suite: Query) -> None:
    test = queries.test_of(suite, TEST)

    assert test.id == f"shop/bench/{TEST}"
    assert not test.collects
    assert queries.suite_id(test) == queries.suite_id(suite) == "shop/bench"
    assert len({suite.digest, test.digest, queries.test_of(suite, "other").digest}) == 3


def test_a_suite_runs_in_the_tree_by_its_own_interpreter(suite: Query) -> None:
    place = Place(tree=Path("/s"), work=Path("/w"), queries=Path("/q"), env={"A": "1"})

    command = queries.suite(suite, place, {"COUNTCI_JOBS": "2"})

    assert (command.argv[0], command.cwd) == ("/s/.venv/bin/python", Path("/s"))
    assert command.argv[2:] == ("benchmarks", "-k", "fast")
    assert command.env == {"A": "1", "COUNTCI_JOBS": "2"}


@pytest.mark.parametrize(
    ("pattern", "meant"),
    [
        ("shop/bench", True),
        (f"shop/bench/{TEST}", True),
        ("*::test_size*", True),
        ("shop/b*/test", True),
        ("shop/benches/x", False),
        ("bank*", False),
    ],
)
def test_a_pattern_that_may_mean_a_test_selects_its_suite(
    pattern: str, *, meant: bool, suite: Query
) -> None:
    suites = Suites(queries=(suite,), digest="")

    if meant:
        assert queries.select(suites, [pattern]) == (suite,)
    else:
        with pytest.raises(UsageError, match="no query matches"):
            queries.select(suites, [pattern])


@pytest.mark.parametrize(
    ("patterns", "has"),
    [
        ((), True),
        ((f"shop/bench/{TEST}",), True),  # its brackets mean themselves
        (("shop/bench/benchmarks/test_a.py::test_size*",), True),
        (("shop/bench/benchmarks",), True),
        (("shop/bench/other", "shop/bench/benchmarks/test_b*"), False),
    ],
)
def test_tests_are_chosen_by_their_whole_id(patterns: tuple[str, ...], *, has: bool) -> None:
    assert Chosen("shop/bench", patterns).has(TEST) is has
