from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest
from msgspec.structs import asdict

from countci.doctor.causes import Tried, findings
from countci.doctor.finding import Level

EXACT = (1000, 1000)
MOVES = (1000, 1010)


def found(
    plain: tuple[int, ...] = EXACT,
    *,
    seed: int = 1000,
    elsewhere: int | None = 90,
    fixed: Mapping[tuple[str, ...], tuple[int, ...]] | None = None,
    causes: tuple[str, ...] = (),
) -> dict[str, dict[str, str]]:
    """Return each finding that isn't all right, by its name."""
    tried = Tried(
        causes=causes,
        plain=plain,
        seed=seed,
        slope=Fraction(90),
        elsewhere=None if elsewhere is None else Fraction(elsewhere),
        fixed=fixed or {},
    )
    return {each.name: asdict(each) for each in findings(tried) if each.level is not Level.OK}


def test_a_program_that_nothing_moves_has_nothing_to_note() -> None:
    assert found() == {}


def test_what_differs_from_itself_is_told_with_its_size() -> None:
    assert found(MOVES)["repeats"]["text"].endswith(
        "differs from itself by +1.00\xa0%: 1,000, 1,010"
    )


@pytest.mark.parametrize(
    ("exact", "remedy"),
    [
        ([("clock",), ("clock", "random")], 'in the query: fixed = ["clock"]'),
        ([("random",), ("clock", "random")], 'in the query: fixed = ["random"]'),
        ([("clock", "random")], 'in the query: fixed = ["clock", "random"]'),
    ],
)
def test_the_least_that_makes_it_repeat_is_the_remedy(
    exact: list[tuple[str, ...]], remedy: str
) -> None:
    ways: list[tuple[str, ...]] = [("clock",), ("random",), ("clock", "random")]
    fixed = {names: EXACT if names in exact else MOVES for names in ways}

    assert found(MOVES, fixed=fixed)["cause"]["remedy"] == remedy


def test_what_nothing_fixes_names_what_is_left() -> None:
    cause = found(MOVES, fixed={("clock",): MOVES}, causes=("pid",))["cause"]

    assert "process id" in cause["text"]
    assert "/dev/urandom" in cause["text"]
    assert "option for its seed" in cause["remedy"]


def test_without_a_compiler_nothing_is_fixed() -> None:
    assert found(MOVES)["cause"]["remedy"] == "apt-get install gcc"


def test_a_hash_seed_that_moves_it_is_told_where_it_repeats() -> None:
    assert "moves it by +5.00" in found(seed=1050)["hash seed"]["text"]
    assert "hash seed" not in found(MOVES, seed=1050)


def test_addresses_that_move_an_ask_are_told_unless_it_is_a_whole_process() -> None:
    assert "moves by +10.00" in found(elsewhere=99)["addresses"]["text"]
    assert found(elsewhere=None) == {}


def test_threads_are_named() -> None:
    assert list(found(causes=("threads",))) == ["threads"]
