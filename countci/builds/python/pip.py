"""pip, run from outside the environment, so that it isn't copied into it."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from countci import process
from countci.builds.python.installer import PYTHON, VENV, Ask, literal

OLDEST = (22, 3)
"""The first with `--python`; `--report` came just before."""


class _Metadata(msgspec.Struct):
    name: str
    version: str


class _Commit(msgspec.Struct):
    vcs: str
    commit_id: str


class _Download(msgspec.Struct):
    url: str
    vcs_info: _Commit | None = None


class _Installed(msgspec.Struct):
    metadata: _Metadata
    download_info: _Download
    is_direct: bool

    def line(self) -> str:
        """Return what to ask for to get exactly this."""
        if not self.is_direct:
            return f"{self.metadata.name}=={self.metadata.version}"
        url, commit = self.download_info.url, self.download_info.vcs_info
        if commit is not None:
            url = f"{commit.vcs}+{url}@{commit.commit_id}"
        return f"{self.metadata.name} @ {url}"


class _Report(msgspec.Struct):
    """What of pip's report is read.

    Source:
        pip's documentation, "Installation Report".
    """

    install: list[_Installed]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pip:
    """pip, for one interpreter."""

    runner: str
    """Path of the interpreter that has this pip; the same or another one."""
    number: str
    """Version of pip."""
    interpreter: str
    """Path of the real one."""

    @property
    def version(self) -> str:
        """Name and number; see `Installer`."""
        return f"pip {self.number}"

    def solve(self, ask: Ask) -> tuple[str, ...]:
        """Return one line a package; see `Installer`."""
        *held, asked = ask.words("--constraint")
        report = ask.folder / "countci-report.json"
        argv = (
            *(self.runner, "-m", "pip", "--python", self.interpreter),
            *("install", "--dry-run", "--ignore-installed", "--report", str(report)),
            *(*held, "--requirement", asked),
        )
        process.run(ask.command(*argv))
        found = msgspec.json.decode(report.read_bytes(), type=_Report)
        return tuple(each.line() for each in found.install)

    def create(self) -> tuple[str, ...]:
        """Return the command for an empty environment; see `Installer`."""
        return (literal(self.interpreter), "-m", "venv", "--without-pip", VENV)

    def dependencies(self, pins: str) -> tuple[str, ...]:
        """Return the command for what the pins list; see `Installer`."""
        return (*self._install(), "--requirement", pins)

    def project(self, pins: str) -> tuple[str, ...]:
        """Return the command for the project alone; see `Installer`."""
        # Until pip 25.3 the one name holds for what builds the project, from then on the other.
        held = (f"PIP_CONSTRAINT={pins}", f"PIP_BUILD_CONSTRAINT={pins}")
        return ("env", *held, *self._install(), "{build}")

    def _install(self) -> tuple[str, ...]:
        # What it compiles would hold times.
        pip = (literal(self.runner), "-m", "pip", "--python", PYTHON)
        return (*pip, "install", "--no-deps", "--no-compile")
