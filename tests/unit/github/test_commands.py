"""`countci github` outside of a step, and in one that goes wrong before anything is measured."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.actions import read_outputs


def countci(at: Path, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    kept = {name: text for name, text in os.environ.items() if not name.startswith("GITHUB_")}
    return subprocess.run(
        [sys.executable, "-m", "countci", *words],
        cwd=at,
        env={**kept, **env},
        capture_output=True,
        text=True,
        check=False,
    )


def test_outside_of_a_step_it_says_what_to_type_instead(tmp_path: Path) -> None:
    ended = countci(tmp_path, "github", "compare")

    assert ended.returncode == 2
    assert "GITHUB_EVENT_NAME" in ended.stderr
    assert "countci compare BASE HEAD" in ended.stderr


def test_an_error_reaches_annotation_summary_and_outputs(tmp_path: Path) -> None:
    for name in ("event", "output", "summary"):
        (tmp_path / name).write_text("{}" if name == "event" else "")

    ended = countci(
        *(tmp_path, "github", "compare"),
        GITHUB_ACTIONS="true",
        GITHUB_EVENT_NAME="workflow_run",
        GITHUB_EVENT_PATH=str(tmp_path / "event"),
        GITHUB_SHA="a" * 40,
        GITHUB_OUTPUT=str(tmp_path / "output"),
        GITHUB_STEP_SUMMARY=str(tmp_path / "summary"),
    )

    assert ended.returncode == 2
    assert ended.stdout.startswith("::error title=countci%3A error::workflow_run")
    assert read_outputs((tmp_path / "output").read_text())["status"] == "error"
    assert "Nothing was measured" in (tmp_path / "summary").read_text()
    assert "no foreign code may run" in ended.stderr


def test_a_result_that_is_none_is_an_error_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "result.json").write_text("[]")

    ended = countci(tmp_path, "github", "report", "result.json")

    assert ended.returncode == 2
    assert "result.json" in ended.stderr
    assert "Traceback" not in ended.stderr
