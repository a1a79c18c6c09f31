"""The action's inputs as options of compare: text that stays text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci.errors import UsageError
from countci.github import Inputs


def test_no_input_asks_for_nothing() -> None:
    assert Inputs.read({}) == Inputs(base="", head="", words=(), shard="", name="countci")


def test_each_input_is_one_option_and_lines_are_several() -> None:
    inputs = Inputs.read(
        {
            "COUNTCI_BASE": " v1 ",
            "COUNTCI_HEAD": "topic",
            "COUNTCI_QUERY": "bank/field\n\n bank/per_branch \n",
            "COUNTCI_LIMIT": "instructions=2%",
            "COUNTCI_MAX_TIME": "30m",
            "COUNTCI_QUERIES_FROM": "base",
            "COUNTCI_TIME": "false",
        }
    )

    assert (inputs.base, inputs.head) == ("v1", "topic")
    assert inputs.words == (
        "--max-time=30m",
        "--queries-from=base",
        "--query=bank/field",
        "--query=bank/per_branch",
        "--limit=instructions=2%",
        "--no-time",
    )


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
def test_no_text_becomes_an_option_of_its_own(text: str) -> None:
    inputs = Inputs.read({"COUNTCI_QUERY": text, "COUNTCI_CONFIG": text})

    assert all(word.startswith(("--query=", "--config=")) for word in inputs.words)


def test_each_shard_has_an_artifact_of_its_own() -> None:
    env = {"COUNTCI_NAME": "bench", "COUNTCI_SHARD": "2/4"}

    assert Inputs.read(env).name == "bench-2-of-4"
    assert Inputs.read(env).words == ("--shard=2/4",)


@pytest.mark.parametrize("name", ["../x", "a b", "ü", "a\nb", "a/b"])
def test_an_artifacts_name_is_no_path(name: str) -> None:
    with pytest.raises(UsageError, match="with: name"):
        Inputs.read({"COUNTCI_NAME": name})


def test_a_flag_is_true_or_false() -> None:
    assert Inputs.read({"COUNTCI_TIME": "true"}).words == ()
    with pytest.raises(UsageError, match="with: time"):
        Inputs.read({"COUNTCI_TIME": "yes"})
