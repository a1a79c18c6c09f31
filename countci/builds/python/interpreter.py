"""The interpreter that a name stands for, behind shims and virtual environments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from countci import process
from countci.errors import MeasureError, UsageError
from countci.units import Seconds

_PATIENCE = Seconds(60.0)
# One that is shared holds the interpreter itself, and can be replaced without its program.
_ASK = """
import importlib.util, json, os, sys, sysconfig
library = os.path.join(*(sysconfig.get_config_var(name) or "" for name in ("LIBDIR", "LDLIBRARY")))
pip = importlib.import_module("pip").__version__ if importlib.util.find_spec("pip") else ""
print(json.dumps({
    "path": os.path.realpath(getattr(sys, "_base_executable", "") or sys.executable),
    "version": sys.version,
    "library": library if library.endswith(".so") else "",
    "pip": pip,
}))
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpreter:
    """A Python that environments are made of. Made by `interpreter`."""

    path: str
    """Its real one."""
    version: str
    """`sys.version`: number, date and compiler."""
    library: str = ""
    """Path of libpython, when it is a shared one."""
    pip: str = ""
    """Version of the pip that it can import; empty when there is none."""

    @property
    def identity(self) -> dict[str, str]:
        """What a build depends on, by name: paths, version, sizes and times."""
        found = {"[python]": f"{self.version} {_stamp(self.path)}"}
        if self.library:
            found["[python] library"] = _stamp(self.library)
        return found


def interpreter(name: str, env: Mapping[str, str]) -> Interpreter:
    """Return the interpreter that `name` starts in builds.

    Args:
        name: on PATH, or an absolute path.
        env: of builds.

    Raises:
        UsageError: there is none, or a shim refuses to start one.
    """
    found = _asked(name, env)
    # That of a virtual environment has packages of its own; what counts is what it stands on.
    return found if found.path == name else _asked(found.path, env)


def _asked(name: str, env: Mapping[str, str]) -> Interpreter:
    where = f"python.interpreter: {name}"
    path = process.which(name, env, Path("/"))
    if path is None:
        raise UsageError(
            "no such interpreter",
            where=where,
            detail='install it, or name another in [python]: interpreter = "python3"',
        )
    command = process.Command(
        argv=(path, "-I", "-c", _ASK), env=env, cwd=Path("/"), timeout=_PATIENCE
    )
    try:
        output = process.run(command).stdout
        return msgspec.json.decode(output, type=Interpreter)
    except (MeasureError, msgspec.DecodeError) as error:
        said = error.detail if isinstance(error, MeasureError) else str(error)
        raise UsageError(
            "is no interpreter that starts",
            where=where,
            detail=f"{said}\n\n{path} may be a shim: name the program itself in [python], "
            'interpreter = "/path/to/python3"',
        ) from error


def _stamp(path: str) -> str:
    try:
        status = Path(path).stat()
    except OSError:
        return path
    return f"{path} {status.st_size} {status.st_mtime_ns}"
