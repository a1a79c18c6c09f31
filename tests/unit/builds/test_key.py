from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from countci.builds import Inputs, key
from countci.model import Recipe
from countci.units import Seconds

INPUTS = Inputs(
    tree="t",
    recipe=Recipe(commands=("make",)),
    env={"PATH": "/bin", "TZ": "UTC"},
    tools={"gcc": "1", "make": "2"},
    stage=Path("/s"),
    queries="q",
)


def test_a_key_is_24_hex_digits_and_the_same_for_the_same() -> None:
    assert len(bytes.fromhex(key(INPUTS))) == 12
    other_order = {"make": "2", "gcc": "1"}
    assert key(replace(INPUTS, tools=other_order)) == key(INPUTS)


@pytest.mark.parametrize(
    "inputs",
    [
        replace(INPUTS, tree="u"),
        replace(INPUTS, recipe=Recipe(commands=("make", "all"))),
        replace(INPUTS, recipe=Recipe(commands=("make",), artifacts=("a",))),
        replace(INPUTS, env={"PATH": "/bin"}),
        replace(INPUTS, tools={"gcc": "1", "make": "3"}),
        replace(INPUTS, stage=Path("/t")),
    ],
    ids=["tree", "commands", "artifacts", "env", "tools", "stage"],
)
def test_all_that_a_build_depends_on_changes_its_key(inputs: Inputs) -> None:
    assert key(inputs) != key(INPUTS)


def test_a_time_limit_and_the_list_of_inputs_do_not_change_it() -> None:
    recipe = Recipe(commands=("make",), inputs=("src",), timeout=Seconds(1.0))

    assert key(replace(INPUTS, recipe=recipe)) == key(INPUTS)


@pytest.mark.parametrize(
    ("command", "matters"), [("make Q={queries}", True), ("make queries", False)]
)
def test_query_files_matter_only_to_a_recipe_that_takes_them(
    command: str, *, matters: bool
) -> None:
    inputs = replace(INPUTS, recipe=Recipe(commands=(command,)))

    assert (key(inputs) != key(replace(inputs, queries="r"))) == matters
