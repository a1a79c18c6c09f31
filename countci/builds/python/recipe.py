"""A side's environment as commands: what builds run, log, time and cache like any others."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Iterable

import msgspec

from countci.builds.python.installer import PYTHON, literal
from countci.builds.python.pins import Pins
from countci.builds.python.request import PRETENDED, Request
from countci.model import Recipe

# No times in what is compiled, or it would be compiled again in every run that may not write;
# and no failure where a test's data isn't Python at all.
_COMPILE = (
    "import compileall, py_compile, sys; "
    "compileall.compile_dir(sys.argv[1], quiet=2, force=True, "
    "invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)"
)


def recipe(request: Request, pins: Pins) -> Recipe:
    """Return the recipe of a side: its environment, then what the configuration builds.

    The pins lie in files that are named after what is in them, written now where they are new.
    """
    installer, own = request.installer, request.recipe
    commands = [_line(installer.create())]
    if pins.runtime:
        file = _file(request, (*pins.options, *pins.runtime))
        unset = [word for name in PRETENDED for word in ("-u", name)]
        # A dependency that is built from its sources would take the project's version for its own.
        commands.append(_line(("env", *unset, *installer.dependencies(file))))
    if request.python.install:
        file = _file(request, (*pins.options, *pins.build))
        commands.append(_line(installer.project(file)))
    commands += own.commands
    commands.append(_line((PYTHON, "-I", "-c", _COMPILE, "{build}")))
    return msgspec.structs.replace(own, commands=tuple(commands))


def _line(words: Iterable[str]) -> str:
    """Return words as a recipe writes them; `{build}` in them stands for the stage."""
    return shlex.join(words)


def _file(request: Request, lines: Iterable[str]) -> str:
    text = "".join(f"{line}\n" for line in lines)
    name = hashlib.sha256(text.encode()).hexdigest()[:16]
    path = request.folder / "pins" / f"{name}.txt"
    # Its time stamp is part of a build's key, like that of every file a command names.
    if not path.is_file() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        part.write_text(text)
        part.rename(path)
    return literal(str(path))
