"""A repository of GitHub with a pull request, and jobs that run countci's actions there."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tests.actions import Ended, Runner
from tests.hub import MERGE, Hub, hub
from tests.real.bank import SOURCE

TOP = Path(__file__).parents[2]
# Fails where anything of the job's environment comes through.
LEAKS = "env | grep -E '^(GITHUB|ACTIONS|RUNNER|COUNTCI|INPUT)_|hunter2'"
CONFIG = f"""build = ["sh -c \\"! {LEAKS}\\"", "cc -O1 -g -o bank bank.c"]
"""
SUITE = """
[query.field]
command = "./bank field {n}"
metrics = ["instructions"]
"""
# As `python -m venv --clear DIR`: what is made there is countci of this checkout.
VENV = """#!/bin/bash
mkdir -p "$4/bin"
printf '#!/bin/bash\\necho "$*" >> "$RUNNER_TEMP/installed"\\n' > "$4/bin/python"
printf '#!/bin/bash\\nexec "%s" -m countci "$@"\\n' > "$4/bin/countci"
chmod +x "$4/bin/python" "$4/bin/countci"
"""


@dataclass
class Job:
    """A job on a runner of its own, and what its other actions were given."""

    runner: Runner
    calls: dict[str, Mapping[str, str]] = field(default_factory=dict)

    def run(self, **inputs: str) -> Ended:
        return self.runner.run(time="false", **inputs)

    def again(self, action: Path = TOP) -> Job:
        """Return another job at the same paths, as all jobs of a label are."""
        runner = replace(self.runner, action=action, status="success", steps={}, summary="")
        return Job(runner=runner, calls=self.calls)

    def result(self, ended: Ended) -> Any:  # noqa: ANN401
        return json.loads(Path(ended.outputs["result"]).read_text(encoding="utf-8"))


@dataclass
class Site:
    """A repository of GitHub, where jobs are started."""

    hub: Hub
    folder: Path
    main: str
    pull: str
    merge: str
    saved: Path

    def job(self, name: str, payload: bytes, sha: str, ref: str = MERGE, depth: int = 2) -> Job:
        """Return a job of that event, its check-out made."""
        here = self.folder / f"job-{len(list(self.folder.glob('job-*')))}"
        temporary = here / "temp"
        temporary.mkdir(parents=True)
        (temporary / "event.json").write_bytes(payload)
        stub = temporary / "python"
        stub.write_text(VENV.replace("%s", sys.executable), encoding="utf-8")
        stub.chmod(0o755)
        github: dict[str, Any] = {
            "event_name": name,
            "event_path": str(temporary / "event.json"),
            "event": json.loads(payload),
            "sha": sha,
            "ref_name": ref.removeprefix("refs/heads/"),
            "repository": "savings/bank",
            "server_url": "https://github.com",
            "run_id": "9001",
            "run_attempt": "1",
            "job": "measure",
            "actions": "true",
        }
        runner = Runner(
            action=TOP,
            workspace=self.hub.check_out(here / "bank", sha, ref=ref, depth=depth),
            temporary=temporary,
            github=github,
            env={
                **self.hub.env,
                "CI": "true",
                "GITHUB_TOKEN": "hunter2",
                "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "hunter2",
                **{name: text for name, text in os.environ.items() if name.startswith("COVERAGE")},
            },
            uses={},
        )
        job = Job(runner=runner)
        runner.uses = {
            "actions/setup-python": lambda _given: {"python-path": str(stub)},
            "actions/cache/restore": lambda given: self._restore(job, given),
            "actions/cache/save": lambda given: self._save(job, given),
            "actions/upload-artifact": lambda given: _note(job, "upload", given),
        }
        return job

    def _restore(self, job: Job, given: Mapping[str, str]) -> Mapping[str, str]:
        _note(job, "restore", given)
        if self.saved.exists():
            Path(given["path"]).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(self.saved, given["path"])
        return {"cache-primary-key": given["key"]}

    def _save(self, job: Job, given: Mapping[str, str]) -> Mapping[str, str]:
        shutil.copy(given["path"], self.saved)
        return _note(job, "save", given)


def _note(job: Job, name: str, given: Mapping[str, str]) -> Mapping[str, str]:
    job.calls[name] = given
    return {}


def bank_site(tmp_path: Path, suite: str = SUITE) -> Site:
    """Return a bank on main, and a pull request that makes it 2 % slower."""
    made = hub(tmp_path)
    main = made.commit(
        "First", bank_dot_c=SOURCE, countci_dot_toml=CONFIG, queries__bank_dot_toml=suite
    )
    made.branch("topic", main)
    pull = made.commit("Slower", bank_dot_c=SOURCE.replace("STEPS = 1000", "STEPS = 1020", 1))
    merge = made.merge(main, pull)
    made.git("checkout", "--quiet", "main")
    saved = tmp_path / "saved.sqlite"
    return Site(hub=made, folder=tmp_path, main=main, pull=pull, merge=merge, saved=saved)
