"""The executables and libraries of a build that ran, taken apart by objdump."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import countci.explaining.binaries.disassembly as disassembly
import countci.explaining.binaries.tables as tables
from countci import process
from countci.counting import CostGraph
from countci.errors import MeasureError
from countci.explaining.binaries.knowledge import knowledge
from countci.explaining.binaries.layout import Layout, parse
from countci.explaining.binaries.pointers import pointers
from countci.explaining.binaries.producers import producers
from countci.explaining.sides import Code
from countci.model import Reason
from countci.process import Command
from countci.units import Seconds

_TIMEOUT = Seconds(120.0)
_SMALL = 2**20
"""Bytes of machine code, half a second's work; of a larger file only what ran is read."""
_MISSING = Reason(
    code="no-objdump",
    text="objdump is not there, so machine code wasn't compared: apt-get install binutils",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """What the binaries of one side tell. Made by `examine`."""

    code: Code | None
    """None: they could not be read."""
    notes: tuple[Reason, ...] = ()


def examine(graph: CostGraph, stage: Path, env: Mapping[str, str]) -> Examined:
    """Return the machine code of what ran of the build that is on the stage.

    Args:
        graph: what ran.
        stage: the tree.
        env: the environment of objdump.
    """
    paths = sorted({path for path in graph.objects.values() if path.startswith(f"{stage}/")})
    shown = {path: path.removeprefix(f"{stage}/") for path in paths}
    names, notes = knowledge(graph, shown)
    objdump = process.which("objdump", env, stage)
    if objdump is None:
        return Examined(code=None, notes=(*notes, _MISSING))
    tool = _Objdump(objdump, {**env, "LC_ALL": "C"}, stage)
    functions: dict[str, str] = {}
    objects: dict[str, str] = {}
    made: dict[str, str] = {}
    try:
        for path in paths:
            ran = frozenset(name for name, where in graph.objects.items() if where == path)
            layout = parse(tool.text(path, "-f", "-h", "-t", "-C", "-w"))
            data = Path(path).read_bytes()
            related = pointers(tool.text(path, "-R", "-C"), data, layout)
            functions |= tool.functions(path, layout, ran)
            objects |= tables.digests(data, layout, related)
            made |= producers(tool.text(path, "--dwarf=info", "--dwarf-depth=1"), str(stage))
    except (MeasureError, OSError) as error:
        return Examined(code=None, notes=(*notes, _unread(error)))
    code = Code(functions=functions, objects=objects, producers=made, names=names)
    return Examined(code=code, notes=notes)


def _unread(error: Exception) -> Reason:
    return Reason(code="no-machine-code", text=f"machine code wasn't compared: {error}")


class _Objdump:
    """The program, and what it sees."""

    def __init__(self, path: str, env: Mapping[str, str], stage: Path) -> None:
        self._path = path
        self._env = env
        self._stage = stage

    def text(self, path: str, *flags: str) -> str:
        """Return what it prints of a file; what it can't print of one is left out."""
        command = self._command(path, flags)
        return process.run(command, check=False).stdout.decode(errors="surrogateescape")

    def functions(self, path: str, layout: Layout, ran: frozenset[str]) -> dict[str, str]:
        """Return the digests of the functions of a file."""
        small = layout.code_size <= _SMALL
        with tempfile.TemporaryDirectory() as folder:
            listing = Path(folder) / "listing"
            flags = ("-d", "-C", "-w", "--no-show-raw-insn")
            process.run(self._command(path, flags, listing))
            with listing.open(errors="surrogateescape") as lines:
                return disassembly.digests(lines, layout, lambda name: small or name in ran)

    def _command(self, path: str, flags: tuple[str, ...], stdout: Path | None = None) -> Command:
        return Command(
            argv=(self._path, *flags, path),
            env=self._env,
            cwd=self._stage,
            stdout=stdout,
            timeout=_TIMEOUT,
        )
