"""The comment's action run step by step as the runner does it, beside GitHub's stand-in."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from countci.reporting import REPORTERS, Look
from tests.actions import Ended, Runner
from tests.events import event
from tests.github_api import READ_ONLY, GitHub
from tests.real.site import TOP, VENV
from tests.reports import EXPLAINED

pytestmark = pytest.mark.slow


@pytest.fixture
def api() -> Iterator[GitHub]:
    with GitHub() as server:
        yield server


def run(api: GitHub, temporary: Path, *, artifact: bool = True, **inputs: str) -> Ended:
    """Run the action after a fork's run that left an artifact, or none."""
    payload = event("workflow_run.fork")
    (temporary / "event.json").write_bytes(payload)
    python = temporary / "python"
    python.write_text(VENV.replace("%s", sys.executable), encoding="utf-8")
    python.chmod(0o755)

    def download(given: object) -> dict[str, str]:
        assert isinstance(given, dict)
        assert (given["run-id"], given["name"]) == ("9001", "countci")
        if artifact:
            Path(given["path"]).mkdir(parents=True)
            text = REPORTERS["json"].render(EXPLAINED, Look(width=80, colour=False))
            Path(given["path"], "result.json").write_text(text, encoding="utf-8")
        return {}

    runner = Runner(
        action=TOP / ".github/actions/comment",
        workspace=temporary,
        temporary=temporary,
        github={
            "event_name": "workflow_run",
            "event_path": str(temporary / "event.json"),
            "event": json.loads(payload),
            "repository": "savings/bank",
            "server_url": "https://github.com",
            "api_url": api.url,
            "run_id": "9050",
            "run_attempt": "1",
            "actions": "true",
        },
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(TOP)},
        uses={
            "actions/setup-python": lambda _given: {"python-path": str(python)},
            "actions/download-artifact": download,
        },
    )
    return runner.run(token="hunter2", **inputs)  # noqa: S106 - nobody's


def test_a_forks_result_becomes_the_comment(api: GitHub, tmp_path: Path) -> None:
    ended = run(api, tmp_path)

    assert ended.status == "success"
    assert ended.step("Comment").log == "pull request 7: comment created\n"
    assert api.bodies[0].startswith("<!-- countci:v1 countci 9001.2 -->\n### countci: fail")
    assert api.tokens == {"Bearer hunter2"}


def test_a_token_that_only_reads_is_a_notice_with_the_permission(
    api: GitHub, tmp_path: Path
) -> None:
    api.script_once("POST", READ_ONLY)

    ended = run(api, tmp_path)

    (line,) = ended.step("Comment").log.splitlines()
    assert ended.status == "success"
    assert line.startswith("::notice title=countci%3A no comment::writing the comment: ")
    assert "pull-requests: write" in line
    assert "hunter2" not in line


def test_a_run_without_a_result_is_a_notice(api: GitHub, tmp_path: Path) -> None:
    ended = run(api, tmp_path, artifact=False)

    assert ended.status == "success"
    assert "the run left no result" in ended.step("Comment").log
    assert api.log == []


def test_a_slip_in_the_workflow_fails_its_step(api: GitHub, tmp_path: Path) -> None:
    ended = run(api, tmp_path, comment="perhaps")

    assert ended.step("Comment").code == 2
    assert "'perhaps' is none of when-needed, always, never" in ended.step("Comment").log
