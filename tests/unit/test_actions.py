"""The stand-in for GitHub's runner, and what every action and workflow keeps to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.actions import read_outputs
from tests.expressions import Expressions

TOP = Path(__file__).parents[2]
ACTIONS = [TOP / "action.yml", *sorted((TOP / ".github/actions").glob("*/action.yml"))]
WORKFLOWS = sorted((TOP / ".github/workflows").glob("*.yml"))
EVERY = pytest.mark.parametrize(
    "path", [*ACTIONS, *WORKFLOWS], ids=lambda path: str(path.relative_to(TOP))
)
WORKFLOW = pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)


def loaded(path: Path) -> Any:  # noqa: ANN401
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def steps(path: Path) -> Iterator[dict[str, Any]]:
    spec = loaded(path)
    if "runs" in spec:
        yield from spec["runs"]["steps"]
    for job in spec.get("jobs", {}).values():
        yield from job["steps"]


@EVERY
def test_no_script_has_anything_pasted_into_it(path: Path) -> None:
    for step in steps(path):
        assert "${{" not in step.get("run", ""), step["name"]


@EVERY
def test_every_foreign_action_is_pinned_by_its_commit_with_the_version_beside_it(
    path: Path,
) -> None:
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if "uses:" in line]
    for line in lines:
        pinned = re.search(r"uses: [\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$", line)
        assert pinned or "uses: ./" in line, line


@WORKFLOW
def test_a_workflow_may_nothing_unless_a_job_says_so(path: Path) -> None:
    assert loaded(path)["permissions"] == {}


@WORKFLOW
def test_every_job_ends_in_time(path: Path) -> None:
    assert all(job["timeout-minutes"] <= 60 for job in loaded(path)["jobs"].values())


@pytest.mark.parametrize("name", ["ci", "countci"])
def test_the_job_that_a_branch_rule_asks_for_is_never_skipped(name: str) -> None:
    spec = loaded(TOP / f".github/workflows/{name}.yml")

    assert spec["jobs"][name]["if"] == "always()"
    assert "merge_group" in spec[True]  # YAML 1.1 takes the word `on` for true


def test_a_check_expects_as_many_shards_as_there_are() -> None:
    jobs = loaded(TOP / ".github/workflows/countci.yml")["jobs"]
    shards = jobs["measure"]["strategy"]["matrix"]["shard"]
    (merge,) = [step for step in jobs["countci"]["steps"] if step["name"] == "Merge"]

    assert shards == [f"{i}/{len(shards)}" for i in range(1, len(shards) + 1)]
    assert merge["with"]["expect"] == len(shards)
    assert jobs["measure"]["strategy"]["fail-fast"] is False


def test_releases_read_no_cache() -> None:
    assert "cache" not in (TOP / ".github/workflows/release.yml").read_text(encoding="utf-8")


def test_the_comparing_step_is_countci_itself_so_that_it_hears_a_cancel() -> None:
    (step,) = [step for step in steps(TOP / "action.yml") if step.get("id") == "compare"]

    assert step["run"].startswith("exec ")


def test_every_input_and_output_is_described_and_no_other() -> None:
    spec = loaded(TOP / "action.yml")
    text = (TOP / "docs/github.md").read_text(encoding="utf-8")
    table = text.partition("## Inputs")[2].partition("\n\n**")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    outputs = text.partition("## Outputs")[2].partition("\n\n")[2].partition(". They are")[0]

    assert [name for row in rows for name in re.findall(r"`([\w-]+)`", row)] == list(spec["inputs"])
    assert set(spec["outputs"]) <= set(re.findall(r"`(\w+)`", outputs))


def test_every_input_reaches_the_step_that_needs_it() -> None:
    text = (TOP / "action.yml").read_text(encoding="utf-8")

    for name in loaded(TOP / "action.yml")["inputs"]:
        assert f"inputs.{name} " in text.replace("}}", " "), name


def test_outputs_are_read_as_the_runner_reads_them() -> None:
    assert read_outputs("a=1\nb<<END\nx=1\n\ny\nEND\nc=\n") == {"a": "1", "b": "x=1\n\ny", "c": ""}
    for bad in ("b<<END\nx\n", "no value\n"):
        with pytest.raises(ValueError, match=r"delimiter|format"):
            read_outputs(bad)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("inputs.a == 'X'", True),  # without case
        ("inputs.none == ''", True),
        ("!success() || inputs.a != 'x'", False),
        ("success() && (inputs.b == '1' || inputs.b == 'it''s')", True),
        ("inputs.none || inputs.a", "x"),
        ("inputs.none && inputs.a", ""),
    ],
)
def test_expressions_are_what_github_makes_of_them(expression: str, value: object) -> None:
    here = Expressions(
        context={"inputs": {"a": "x", "b": "it's"}}, functions={"success": lambda: True}
    )

    assert here.value(expression) == value


def test_a_condition_means_success_unless_it_says_otherwise() -> None:
    here = Expressions(context={}, functions={"success": lambda: False, "always": lambda: True})

    assert not here.holds("'x' == 'x'")
    assert here.holds("always() && 'x' == 'x'")
