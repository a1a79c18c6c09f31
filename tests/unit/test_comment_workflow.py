"""The workflow that comments holds a token that may write: what it may be given, and do."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml

from tests.expressions import Expressions
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
    own = [step["name"] for step in steps(TOP / "action.yml") if "github.token" in str(step)]

    assert named == ["Download the result", "Comment"]
    assert own == ["Comment"]


@pytest.mark.parametrize("name", ["ci", "countci"])
def test_no_job_that_runs_foreign_code_may_write(name: str) -> None:
    for each in loaded(TOP / f".github/workflows/{name}.yml")["jobs"].values():
        assert set(each["permissions"].values()) <= {"read"}


def test_the_actions_own_comment_is_last_and_changes_nothing() -> None:
    last = list(steps(TOP / "action.yml"))[-1]

    assert last["name"] == "Comment"
    assert last["continue-on-error"] is True
    assert loaded(TOP / "action.yml")["inputs"]["comment"]["default"] == "never"


@pytest.mark.parametrize(
    ("changed", "runs"),
    [
        ({}, True),
        ({"comment": "always"}, True),
        ({"comment": "never"}, False),
        ({"shard": "1/2"}, False),
        ({"event": "push"}, False),
        ({"event": "merge_group"}, False),
        ({"report": ""}, False),
    ],
)
def test_it_comments_when_a_whole_result_of_a_pull_request_is_there(
    changed: dict[str, str], *, runs: bool
) -> None:
    now = {
        "comment": "when-needed",
        "shard": "",
        "event": "pull_request",
        "report": "/x",
        **changed,
    }
    here = Expressions(
        context={
            "inputs": {"comment": now["comment"], "shard": now["shard"]},
            "github": {"event_name": now["event"]},
            "steps": {"compare": {"outputs": {"report": now["report"]}}},
        },
        functions={"always": lambda: True},
    )

    assert here.holds(list(steps(TOP / "action.yml"))[-1]["if"]) == runs


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
