"""A composite action run as GitHub's runner runs it: same shell, files, environment, signals.

Source: actions/runner, ScriptHandler.cs, CompositeActionHandler.cs, FileCommandManager.cs and
ProcessInvoker.cs.
"""

from __future__ import annotations

import signal
import subprocess
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from tests.expressions import Expressions, Value

Uses: TypeAlias = Callable[[Mapping[str, str]], Mapping[str, str]]
"""Another action: takes what stands below `with`, gives outputs."""
_SHELL = ("bash", "--noprofile", "--norc", "-e", "-o", "pipefail")
_FILES = ("output", "step_summary", "env", "path", "state")


@dataclass
class Step:
    """What became of a step."""

    name: str
    ran: bool
    code: int = 0
    log: str = ""
    given: Mapping[str, str] = field(default_factory=dict)
    """Below `with`."""


@dataclass
class Ended:
    """What became of an action."""

    status: str
    outputs: dict[str, str]
    steps: list[Step]
    summary: str

    def step(self, name: str) -> Step:
        """Return the step of that name."""
        return next(step for step in self.steps if step.name == name)


@dataclass
class Runner:
    """A runner of one job: its contexts, its environment, and the actions that it knows."""

    action: Path
    """The folder of action.yml."""
    workspace: Path
    temporary: Path
    github: Mapping[str, Value]
    env: Mapping[str, str]
    """Whatever is in the job's environment beside GITHUB_*, RUNNER_* of here."""
    uses: Mapping[str, Uses]
    """By name, without the commit."""
    cancel: Callable[[], bool] = lambda: False
    """Whether somebody clicks on cancel now."""
    status: str = "success"
    steps: dict[str, Value] = field(default_factory=dict)
    summary: str = ""

    def run(self, **given: str) -> Ended:
        """Run the action with these inputs; `_` in a name is `-`."""
        spec = yaml.safe_load((self.action / "action.yml").read_text(encoding="utf-8"))
        inputs = {name: str(each.get("default", "")) for name, each in spec["inputs"].items()}
        named = {name.replace("_", "-"): text for name, text in given.items()}
        assert named.keys() <= inputs.keys()
        inputs |= named
        done = [self._step(step, inputs) for step in spec["runs"]["steps"]]
        expressions = self._expressions(inputs)
        outputs = {
            name: expressions.fill(each["value"]) for name, each in spec.get("outputs", {}).items()
        }
        return Ended(status=self.status, outputs=outputs, steps=done, summary=self.summary)

    def _expressions(self, inputs: Mapping[str, str]) -> Expressions:
        return Expressions(
            context={
                "inputs": inputs,
                "steps": self.steps,
                "github": self.github,
                "runner": {"temp": str(self.temporary), "os": "Linux"},
                "strategy": {"job-index": "0"},
            },
            functions={
                "always": lambda: True,
                "success": lambda: self.status == "success",
                "failure": lambda: self.status == "failure",
                "cancelled": lambda: self.status == "cancelled",
            },
        )

    def _step(self, step: Mapping[str, Any], inputs: Mapping[str, str]) -> Step:
        expressions = self._expressions(inputs)
        if not expressions.holds(step.get("if", "success()")):
            return Step(name=step["name"], ran=False)
        if "uses" in step:
            given = {name: expressions.fill(text) for name, text in step.get("with", {}).items()}
            outputs = self.uses[step["uses"].partition("@")[0]](given)
            done = Step(name=step["name"], ran=True, given=given)
        else:
            done, outputs = self._script(step, expressions)
        self.steps[step.get("id", step["name"])] = {"outputs": dict(outputs)}
        if done.code and not step.get("continue-on-error") and self.status == "success":
            self.status = "failure"
        return done

    def _script(
        self, step: Mapping[str, Any], expressions: Expressions
    ) -> tuple[Step, dict[str, str]]:
        assert step["shell"] == "bash"
        files = {name: self.temporary / f"{name}_{uuid.uuid4()}" for name in _FILES}
        for path in files.values():
            path.touch()
        script = self.temporary / f"{uuid.uuid4()}.sh"
        script.write_text(expressions.fill(step["run"]), encoding="utf-8")
        env = {
            **self.env,
            **{f"GITHUB_{name.upper()}": text for name, text in self._texts()},
            **{f"GITHUB_{name.upper()}": str(path) for name, path in files.items()},
            "GITHUB_ACTION_PATH": str(self.action),
            "GITHUB_WORKSPACE": str(self.workspace),
            "RUNNER_TEMP": str(self.temporary),
            "RUNNER_OS": "Linux",
            **{name: expressions.fill(text) for name, text in step.get("env", {}).items()},
        }
        where = self.workspace / expressions.fill(step.get("working-directory", "."))
        code, log = self._shell(script, where, env)
        self.summary += files["step_summary"].read_text(encoding="utf-8")
        outputs = read_outputs(files["output"].read_text(encoding="utf-8"))
        return Step(name=step["name"], ran=True, code=code, log=log), outputs

    def _texts(self) -> list[tuple[str, str]]:
        return [(name, text) for name, text in self.github.items() if isinstance(text, str)]

    def _shell(self, script: Path, where: Path, env: Mapping[str, str]) -> tuple[int, str]:
        child = subprocess.Popen(
            [*_SHELL, str(script)],
            cwd=where,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        with child, ThreadPoolExecutor(1) as pool:
            assert child.stdout is not None
            log = pool.submit(child.stdout.read)
            while child.poll() is None:
                if self.status != "cancelled" and self.cancel():
                    self.status = "cancelled"
                    child.send_signal(signal.SIGINT)  # to the shell's process, and no other
                time.sleep(0.02)
            return child.returncode, log.result().decode(errors="replace")


def read_outputs(text: str) -> dict[str, str]:
    """Return the outputs of a file that GITHUB_OUTPUT named.

    Raises:
        ValueError: the runner would fail the step.
    """
    found = {}
    lines = iter(text.split("\n"))
    for line in lines:
        equals, here = line.find("="), line.find("<<")
        if not line:
            continue
        if equals >= 0 and (here < 0 or equals < here):
            found[line[:equals]] = line[equals + 1 :]
        elif here > 0:
            found[line[:here]] = "\n".join(_until(lines, line[here + 2 :]))
        else:
            raise ValueError(f"invalid format {line!r}")
    return found


def _until(lines: Iterator[str], end: str) -> list[str]:
    kept: list[str] = []
    for line in lines:
        if line == end:
            return kept
        kept.append(line)
    raise ValueError(f"matching delimiter not found {end!r}")
