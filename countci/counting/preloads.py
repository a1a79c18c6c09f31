"""Libraries of countci's own that are preloaded into counted programs, compiled at first use."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from countci.errors import MeasureError
from countci.process import Command, run, which
from countci.units import Seconds

_SOURCES = Path(__file__).parents[1] / "inside"
_COMPILERS = ("cc", "gcc", "clang")
_FLAGS = ("-O2", "-fPIC", "-shared", "-fno-builtin", "-pthread")
_TIMEOUT = Seconds(60.0)


def preload(
    name: Literal["flat", "steady", "forks"], folder: Path, env: Mapping[str, str]
) -> Path | None:
    """Return the library `name`, made in `folder` when it isn't there; None without a compiler.

    The file's name holds a digest of the source and of the compiler's version.

    Args:
        name: `flat`, the allocator; `steady`, the fixed clock and random numbers; `forks`,
            which has callgrind count forked children apart.
        folder: where libraries are kept, made when missing.
        env: the whole environment of the compiler.

    Raises:
        MeasureError: the compiler fails, for `forks` also where valgrind's headers are missing.
    """
    source = _SOURCES / f"{name}.c"
    compiler = _compiler(env)
    if compiler is None:
        return None
    folder.mkdir(parents=True, exist_ok=True)
    library = folder / f"{name}-{_digest(source, compiler, env, folder)}.so"
    if not library.exists():
        _compile(compiler, source, library, env)
    return library


def _compiler(env: Mapping[str, str]) -> str | None:
    found = (which(name, env, Path("/")) for name in _COMPILERS)
    return next(filter(None, found), None)


def _digest(source: Path, compiler: str, env: Mapping[str, str], folder: Path) -> str:
    version = run(
        Command(argv=(compiler, "--version"), env=env, cwd=folder, timeout=_TIMEOUT)
    ).stdout
    parts = (source.read_bytes(), version, " ".join(_FLAGS).encode())
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:12]


def _compile(compiler: str, source: Path, library: Path, env: Mapping[str, str]) -> None:
    # Made beside and renamed: another countci may be at it, and half a library is never seen.
    with tempfile.TemporaryDirectory(dir=library.parent) as scratch:
        made = Path(scratch) / library.name
        argv = (compiler, *_FLAGS, "-o", str(made), str(source))
        command = Command(argv=argv, env=env, cwd=Path(scratch), timeout=_TIMEOUT)
        finished = run(command, check=False)
        if finished.status != 0 or not made.exists():
            raise MeasureError(
                f"{source.name} can't be compiled",
                where=command.line,
                detail=finished.stderr.strip()[-2000:] + _remedy(source.stem),
            )
        made.rename(library)


def _remedy(name: str) -> str:
    if name == "forks":
        return "\ninstall valgrind with its headers: the folder valgrind/ of /usr/include"
    return "\ninstall the C library's headers: apt-get install libc6-dev"
