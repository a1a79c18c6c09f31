"""Which installer there is."""

from __future__ import annotations

import importlib.metadata
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from countci import process
from countci.builds.python.installer import Installer
from countci.builds.python.interpreter import Interpreter
from countci.builds.python.pip import OLDEST, Pip
from countci.builds.python.uv import Uv
from countci.errors import MeasureError, UsageError
from countci.units import Seconds

_PATIENCE = Seconds(60.0)
_OWN = sys.executable


def choose(interpreter: Interpreter, env: Mapping[str, str]) -> Installer:
    """Return uv when builds or countci itself have it, else the interpreter's pip or our own.

    Raises:
        UsageError: there is none of them.
    """
    for path in (process.which("uv", env, Path("/")), str(Path(_OWN).with_name("uv"))):
        if path and (version := _uv_version(path, env)):
            return Uv(path=path, version=version, interpreter=interpreter.path)
    for runner, number in ((interpreter.path, interpreter.pip), (_OWN, _own_pip())):
        if _number(number) >= OLDEST:
            return Pip(runner=runner, number=number, interpreter=interpreter.path)
    raise UsageError(
        "neither uv nor pip 22.3 or later is there to install packages",
        where=f"python.interpreter: {interpreter.path}",
        detail="pip install uv, or apt-get install python3-pip",
    )


def _uv_version(path: str, env: Mapping[str, str]) -> str:
    """Return its name and number; empty when it doesn't start: a shim may refuse to."""
    command = process.Command(argv=(path, "--version"), env=env, cwd=Path("/"), timeout=_PATIENCE)
    try:
        return process.run(command).stdout.decode(errors="replace").strip()
    except MeasureError:
        return ""


def _own_pip() -> str:
    try:
        return importlib.metadata.version("pip")
    except importlib.metadata.PackageNotFoundError:
        return ""


def _number(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)[:2]))
