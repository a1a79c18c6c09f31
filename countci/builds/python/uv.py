"""uv: makes environments, finds versions, reads its own lock files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from countci import process
from countci.builds.python.installer import PYTHON, VENV, Ask, literal

LOCK = "uv.lock"


@dataclass(frozen=True, slots=True, kw_only=True)
class Uv:
    """uv, for one interpreter."""

    path: str
    version: str
    interpreter: str
    """Path of the real one."""

    def solve(self, ask: Ask) -> tuple[str, ...]:
        """Return one line a package; see `Installer`."""
        argv = (
            *(self.path, "pip", "compile", "--no-header", "--no-annotate", "--color", "never"),
            *("--no-progress", "--python", self.interpreter, *ask.words("--constraints")),
        )
        return _lines(process.run(ask.command(*argv)).stdout)

    def locked(self, ask: Ask, *, extras: Iterable[str], groups: Iterable[str]) -> tuple[str, ...]:
        """Return what the lock file in the ask's folder says, for any platform.

        Raises:
            MeasureError: uv can't read it.
        """
        chosen = [f"--extra={name}" for name in extras] + [f"--group={name}" for name in groups]
        argv = (
            *(self.path, "export", "--frozen", "--no-default-groups", "--no-emit-project"),
            *("--no-hashes", "--no-editable", "--no-header", "--no-annotate"),
            *("--no-progress", "--color", "never", "--python", self.interpreter),
        )
        return _lines(process.run(ask.command(*argv, *chosen)).stdout)

    def create(self) -> tuple[str, ...]:
        """Return the command for an empty environment; see `Installer`."""
        path, interpreter = literal(self.path), literal(self.interpreter)
        return (path, "venv", "--no-project", "--python", interpreter, VENV)

    def dependencies(self, pins: str) -> tuple[str, ...]:
        """Return the command for what the pins list; see `Installer`."""
        return (*self._install(), "--requirements", pins)

    def project(self, pins: str) -> tuple[str, ...]:
        """Return the command for the project alone; see `Installer`."""
        # Never one that was built before of the same path.
        return (*self._install(), "--refresh", "--build-constraints", pins, "{build}")

    def _install(self) -> tuple[str, ...]:
        # Links would let a build that writes into an installed file change the other side's.
        return (
            *(literal(self.path), "pip", "install", "--no-progress", "--python", PYTHON),
            *("--no-deps", "--link-mode", "copy"),
        )


def _lines(output: bytes) -> tuple[str, ...]:
    lines = (line.strip() for line in output.decode().splitlines())
    return tuple(line for line in lines if line and not line.startswith("#"))
