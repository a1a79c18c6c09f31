"""The workflow that comments holds a token that may write: what it may be given, and do."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml

from tests.unit.test_actions import TOP, loaded, steps

WORKFLOW = TOP / ".github/workflows/countci-comment.yml"
ACTION = TOP / ".github/actions/comment/action.yml"
PAGE = (TOP / "docs/github.md").read_text(encoding="utf-8").partition("## One comment")[2]


def job(spec: Any) -> Any:  # noqa: ANN401
    (found,) = spec["jobs"].values()
    return found


def test_no_code_of_a_pull_request_is_checked_out() -> None:
    checked_out = [step for step in steps(WORKFLOW) if "checkout" in step["uses"]]

    assert [step["with"] for step in checked_out] == [{"persist-credentials": False}]
    assert not [step for step in steps(ACTION) if "checkout" in step.get("uses", "")]


def test_only_runs_of_pull_requests_that_came_to_an_end_are_commented_on() -> None:
    condition = " ".join(job(loaded(WORKFLOW))["if"].split())

    assert condition == (
        "github.event.workflow_run.event == 'pull_request' && "
        "(github.event.workflow_run.conclusion == 'success' || "
        "github.event.workflow_run.conclusion == 'failure')"
    )


def test_the_result_is_of_the_run_that_github_names_and_lies_by_itself() -> None:
    (download,) = [step for step in steps(ACTION) if "download" in step.get("uses", "")]
    (comment,) = [step for step in steps(ACTION) if step["name"] == "Comment"]

    assert download["with"]["run-id"] == "${{ github.event.workflow_run.id }}"
    assert download["with"]["path"] == "${{ runner.temp }}/countci/artifact"
    assert comment["run"].endswith('github comment "$RUNNER_TEMP/countci/artifact"')


def test_the_token_reaches_the_two_steps_that_need_it() -> None:
    named = [step["name"] for step in steps(ACTION) if "inputs.token" in str(step)]

    assert named == ["Download the result", "Comment"]


def test_what_builds_and_measures_is_never_given_a_token() -> None:
    spec = (TOP / "action.yml").read_text(encoding="utf-8")

    assert "github.token" not in spec
    assert "COUNTCI_TOKEN" not in spec
    assert "github comment" not in spec


@pytest.mark.parametrize("name", ["ci", "countci"])
def test_no_job_that_runs_foreign_code_may_write(name: str) -> None:
    for each in loaded(TOP / f".github/workflows/{name}.yml")["jobs"].values():
        assert set(each["permissions"].values()) <= {"read"}


def test_the_page_shows_the_workflow_that_is_used_here() -> None:
    shown = yaml.safe_load(PAGE.partition("```yaml\n")[2].partition("```")[0])
    used = loaded(WORKFLOW)

    for key in (True, "name", "permissions", "concurrency"):  # YAML 1.1: `on` is true
        assert shown[key] == used[key]
    for key in ("if", "runs-on", "timeout-minutes"):
        assert job(shown)[key] == job(used)[key]
    assert {**job(shown)["permissions"], "contents": "read"} == job(used)["permissions"]
    (step,) = job(shown)["steps"]
    assert step["uses"].removeprefix("OWNER/countci") == "/.github/actions/comment@v1"


def test_every_input_is_described_with_its_default() -> None:
    rows = re.findall(r"^\| `([\w-]+)` \| (.*?) \|", PAGE, flags=re.MULTILINE)
    inputs = loaded(ACTION)["inputs"]

    assert [name for name, _ in rows] == list(inputs)
    for name, default in rows:
        assert default in (f"`{inputs[name]['default']}`", "the job's")
