"""Which packages each side gets: head's, and base's held to the same versions where it can be."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import msgspec

from countci import revisions
from countci.builds.python.asking import Asked, Source, asked
from countci.builds.python.installer import Ask
from countci.builds.python.locks import Lock
from countci.builds.python.pins import Pins, constraints, differences, placed
from countci.builds.python.request import PRETENDED, Request
from countci.builds.python.uv import LOCK, Uv
from countci.errors import MeasureError, UsageError
from countci.model import Reason, Revision

_NEXT = (
    "check what the project, requirements and packages ask for.\n"
    "Builds get no settings of yours for a package index: write them into /etc/pip.conf or\n"
    "/etc/uv/uv.toml, or name what holds them (PIP_INDEX_URL, UV_DEFAULT_INDEX, HTTPS_PROXY)\n"
    "in pass-env"
)
_NO_UV = Reason(
    code="lock-not-read",
    text=f"{LOCK} is not read without uv: pip chose the versions (pip install uv)",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependencies:
    """What both sides' environments are made of. Made by `resolve`."""

    base: Pins
    head: Pins
    reasons: tuple[Reason, ...]
    """What isn't the same on both sides; for the report."""


def resolve(request: Request) -> Dependencies:
    """Return exact versions for both sides.

    They are kept: as long as a revision asks for the same, it gets the same, whatever has
    been published since.

    Raises:
        UsageError: a file of a revision is malformed, or what is asked for isn't there.
        MeasureError: there is no solution, or the index can't be reached.
    """
    locks = isinstance(request.installer, Uv)
    sources = [_source(request, revision) for revision in (request.base, request.head)]
    base, head = (
        asked(request.python, source, sources[1], reads_locks=locks) for source in sources
    )
    unread = (_NO_UV,) if not locks and any(each.read(LOCK) is not None for each in sources) else ()
    head_pins = _known(request, head, Pins(), lambda: _free(request, request.head, head))
    unread = (*unread, *_unheld(head_pins, request.head))
    if base == head:
        return Dependencies(base=head_pins, head=head_pins, reasons=unread)
    base_pins = _known(request, base, head_pins, lambda: _held(request, base, head_pins))
    reasons = (*unread, *_unheld(base_pins, request.base), *differences(base_pins, head_pins))
    return Dependencies(base=base_pins, head=head_pins, reasons=reasons)


def _source(request: Request, revision: Revision) -> Source:
    read = functools.partial(revisions.read_file, request.repository, revision)
    if read(".venv") is not None or revisions.list_files(request.repository, revision, ".venv"):
        raise UsageError(
            "the repository has a .venv of its own, and the environment would be made there",
            where=revision.name,
            detail="git rm -r --cached .venv, and commit that",
        )
    return Source(read=read, tree=revision.tree, where=revision.name)


def _held(request: Request, base: Asked, head: Pins) -> Pins:
    """Return base's pins, at head's versions when that can be."""
    try:
        return _solved(request, request.base, base, head)
    except MeasureError:
        # An index that isn't there fails again.
        return _free(request, request.base, base)


def _free(request: Request, revision: Revision, wanted: Asked) -> Pins:
    """Return pins by the revision's own lock file alone, without it when that can't be."""
    try:
        return _solved(request, revision, wanted, Pins())
    except MeasureError:
        if not wanted.held.lines:
            raise
    without = dataclasses.replace(wanted, held=Lock())
    found = _solved(request, revision, without, Pins())
    return msgspec.structs.replace(found, unheld=wanted.held.file)


def _unheld(pins: Pins, revision: Revision) -> tuple[Reason, ...]:
    if not pins.unheld:
        return ()
    text = f"{pins.unheld} of {revision.name} has no solution for what is asked: other versions"
    return (Reason(code="lock-not-held", text=f"{text} were taken"),)


def _known(request: Request, wanted: Asked, held: Pins, solve: Callable[[], Pins]) -> Pins:
    """Return what was found out before for the same question, or ask it now."""
    question = (
        dataclasses.replace(wanted, files={}),
        (held, request.tools, request.outside, str(request.places.stage)),
    )
    digest = hashlib.sha256(msgspec.json.encode(question, order="deterministic")).hexdigest()
    path = request.folder / "known" / f"{digest[:24]}.json"
    if path.is_file():
        return msgspec.json.decode(path.read_bytes(), type=Pins)
    found = solve()
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_bytes(msgspec.json.encode(found))
    part.rename(path)
    return found


def _solved(request: Request, revision: Revision, wanted: Asked, held: Pins) -> Pins:
    folder = request.places.runs / "python"
    shutil.rmtree(folder, ignore_errors=True)
    request.places.temporary.mkdir(parents=True, exist_ok=True)
    if wanted.tree:
        revisions.export(request.repository, revision, ".", folder)
    else:
        folder.mkdir(parents=True)
        for name, content in wanted.files.items():
            (folder / name).write_bytes(content)
    try:
        return Pins(
            options=wanted.options,
            runtime=_runtime(request, wanted, held, folder),
            build=_build(request, wanted, held, folder),
        )
    except MeasureError as error:
        raise MeasureError(
            f"its dependencies can't be resolved: {error.problem}",
            where=revision.name,
            detail=f"{error.detail}\n\n{_NEXT}",
        ) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _runtime(request: Request, wanted: Asked, held: Pins, folder: Path) -> tuple[str, ...]:
    ask, lines = _ask(request, wanted, folder), wanted.runtime
    locked: tuple[str, ...] = ()
    if wanted.lock is not None and isinstance(request.installer, Uv):
        locked = request.installer.locked(ask, extras=wanted.extras, groups=wanted.groups)
        lines = (*locked, *lines)
    if not lines:
        return ()
    own = wanted.held.lines
    of_head = constraints(held.runtime, beside=(*own, *locked))
    ask = dataclasses.replace(ask, lines=lines, constraints=(*wanted.constraints, *own, *of_head))
    found = request.installer.solve(ask)
    return placed(found, folder=folder, stage=request.places.stage, project=wanted.project)


def _build(request: Request, wanted: Asked, held: Pins, folder: Path) -> tuple[str, ...]:
    if not wanted.build:
        return ()
    ask = dataclasses.replace(
        _ask(request, wanted, folder), lines=wanted.build, constraints=constraints(held.build)
    )
    return placed(
        request.installer.solve(ask), folder=folder, stage=request.places.stage, project=""
    )


def _ask(request: Request, wanted: Asked, folder: Path) -> Ask:
    # A copy has no git folder to take a version from, and the project's own doesn't matter here.
    numbers = dict.fromkeys(PRETENDED, "0") if wanted.tree else {}
    return Ask(
        folder=folder,
        lines=(),
        constraints=(),
        options=wanted.options,
        # Nothing is installed, but Debian's pip refuses even to try where it is the system's.
        env={**request.outside, **numbers, "PIP_BREAK_SYSTEM_PACKAGES": "1"},
        timeout=request.recipe.timeout,
    )
