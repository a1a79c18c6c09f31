from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from countci import queries
from countci.errors import UsageError
from countci.model import CommandWork, PytestWork, PythonWork, Query, Variant, Work
from countci.queries import Place

PLACE = Place(tree=Path("/stage"), work=Path("/work"), queries=Path("/q"), env={"PATH": "/bin"})
COMMAND = CommandWork(command="./bank field {n}", env={"MODE": "slow", "OTHER": "x"})


def query(work: Work = COMMAND) -> Query:
    return Query(suite="bank", name="field", file="queries/bank.toml", work=work, digest="d" * 64)


def test_a_query_without_a_variant_is_what_it_was() -> None:
    assert queries.varied(query(), None) == query()


def test_a_variant_that_only_builds_leaves_known_counts_useful() -> None:
    assert queries.varied(query(), Variant(name="fast", build=("make fast",))) == query()


def test_the_variants_environment_wins_over_the_querys() -> None:
    found = queries.varied(query(), Variant(name="v", env={"MODE": "fast", "AT": "{work}/x"}))

    asked = queries.command(found, PLACE, 3)

    assert asked.env == {"PATH": "/bin", "MODE": "fast", "OTHER": "x", "AT": "/work/bank/x"}
    assert asked.argv == ("./bank", "field", "3")


@given(st.lists(st.text(alphabet="ab '\"\\$;|", max_size=6), min_size=1, max_size=4))
def test_args_reach_the_program_to_the_letter(args: list[str]) -> None:
    found = queries.varied(query(), Variant(name="v", args=tuple(args)))

    assert queries.command(found, PLACE, 3).argv == ("./bank", "field", "3", *args)


def test_placeholders_in_args_are_filled_in() -> None:
    found = queries.varied(query(), Variant(name="v", args=("--db={work}/a b",)))

    assert queries.command(found, PLACE, 1).argv[-1] == "--db=/work/bank/a b"


@pytest.mark.parametrize(
    "work", [PythonWork(function="bank:field"), PytestWork(args=("benchmarks",))]
)
def test_other_kinds_get_the_environment_but_no_args(work: Work) -> None:
    found = queries.varied(query(work), Variant(name="v", env={"MODE": "fast"}, args=("--x",)))

    assert found.work.env == {"MODE": "fast"}
    assert not queries.takes_args(found)
    assert queries.varied(query(work), Variant(name="v", args=("--x",))) == query(work)


def test_a_count_under_one_variant_is_never_known_as_one_under_another() -> None:
    variants = [
        None,
        Variant(name="a", env={"MODE": "fast"}),
        Variant(name="b", env={"MODE": "faster"}),
        Variant(name="c", args=("--fast",)),
        Variant(name="d", args=("--fast", "--fast")),
    ]

    assert len({queries.varied(query(), each).digest for each in variants}) == len(variants)


def test_another_name_for_the_same_settings_is_the_same_work() -> None:
    first, second = (Variant(name=name, env={"MODE": "fast"}) for name in "ab")

    assert queries.varied(query(), first) == queries.varied(query(), second)
    assert queries.alike(first, second)


@pytest.mark.parametrize(
    "settings", [{"env": {"A": "1"}}, {"args": ("--a",)}, {"placement": "one-core"}]
)
def test_what_is_asked_otherwise_is_not_alike(settings: dict[str, object]) -> None:
    variant = Variant(name="v", **settings)  # type: ignore[arg-type]

    assert not queries.alike(variant, None)
    assert not queries.alike(None, variant)


def test_a_placement_is_the_variants_and_leaves_known_counts_useful() -> None:
    placed = replace(query(), placement="one-thread")

    found = queries.varied(placed, Variant(name="v", placement="one-core"))

    assert found == replace(query(), placement="one-core")
    assert found.digest == query().digest
    assert queries.varied(placed, Variant(name="v", env={"A": "1"})).placement == "one-thread"


def test_what_is_only_built_otherwise_is_asked_alike() -> None:
    assert queries.alike(Variant(name="v", build=("make",)), None)


@pytest.mark.parametrize(
    ("variant", "said"),
    [
        (Variant(name="v", env={"AT": "{wrok}"}), "no placeholder {wrok}"),
        (Variant(name="v", args=("{n}",)), "no placeholder {n}"),
        (Variant(name="v", placement="apart"), "has no load that could be apart"),
    ],
)
def test_a_variant_takes_only_placeholders_that_there_are(variant: Variant, said: str) -> None:
    with pytest.raises(UsageError, match=said) as caught:
        queries.check_variant(variant, query(), where="countci.toml: variant.v")

    assert caught.value.where.startswith("countci.toml: variant.v.")


def test_a_query_that_is_fixed_cannot_have_another_library_preloaded() -> None:
    fixed = query(CommandWork(command="./bank {n}", fixed=("clock",)))

    with pytest.raises(UsageError, match="preloads a library"):
        queries.check_variant(Variant(name="v", env={"LD_PRELOAD": "x.so"}), fixed, where="v")
