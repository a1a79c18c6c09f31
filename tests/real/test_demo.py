"""The demo: the same commits on every machine, and a gate that finds the slower one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

DEMO = Path(__file__).parents[2] / "demo"

pytestmark = pytest.mark.slow


def make(repository: Path, env: Mapping[str, str]) -> str:
    """Return the last commit of the demo's repository, made there."""
    subprocess.run([DEMO / "make-repository.sh", repository], env=env, check=True)
    last = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=repository, stdout=subprocess.PIPE, check=True
    )
    return last.stdout.decode()


def test_demo_has_the_same_commits_whatever_the_user_s_git_does(tmp_path: Path) -> None:
    config = "[core]\nautocrlf = true\n[commit]\ngpgsign = true\n[init]\ndefaultBranch = other\n"
    (tmp_path / ".gitconfig").write_text(config)

    plain = make(tmp_path / "plain", os.environ)
    configured = make(tmp_path / "configured", {**os.environ, "HOME": str(tmp_path)})

    assert plain == configured


def test_gate_fails_the_one_query_that_the_last_commit_made_slower(tmp_path: Path) -> None:
    make(tmp_path / "demo", os.environ)

    gate = subprocess.run(
        [sys.executable, "-m", "countci", "compare", "HEAD~1", "--no-time", "--format", "json"],
        cwd=tmp_path / "demo",
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")},
        stdout=subprocess.PIPE,
        check=False,
    )

    assert gate.returncode == 1
    verdicts = json.loads(gate.stdout)["verdicts"]
    assert {verdict["query"]: verdict["status"] for verdict in verdicts} == {
        "words/count": "fail",
        "words/top": "pass",
        "words/find": "pass",
    }
    deltas = {verdict["query"]: verdict["changes"][0]["delta"] for verdict in verdicts}
    assert 0.03 < deltas["words/count"] < 0.6
    assert deltas["words/top"] == deltas["words/find"] == 0
