"""What a run leaves behind for people and programs: one folder a run, never half of it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

_KEPT = 50
"""Folders of earlier runs; older ones go."""


def write(folder: Path, name: str, fill: Callable[[Path], None]) -> Path:
    """Return `folder/name`, which appears with all that `fill` writes there, or not at all.

    Args:
        folder: `.countci/results` of the checkout; made where missing, with a
            `.gitignore` of `*` beside it.
        name: of this run; a number is added when it is taken.
        fill: writes the files into the folder it is given.
    """
    folder.mkdir(parents=True, exist_ok=True)
    ignore = folder.parent / ".gitignore"
    if not ignore.exists():
        ignore.write_text("*\n", encoding="utf-8")
    draft = folder / f".{name}.{os.getpid()}"
    draft.mkdir()
    try:
        fill(draft)
        place = _free(folder, name)
        draft.rename(place)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    _forget_old(folder)
    return place


def write_file(path: Path, content: bytes) -> None:
    """Write `content` to `path` at once: a reader sees the old file or the new one."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        draft.write_bytes(content)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def _free(folder: Path, name: str) -> Path:
    place, number = folder / name, 1
    while place.exists():
        number += 1
        place = folder / f"{name}-{number}"
    return place


def _forget_old(folder: Path) -> None:
    # Names begin with the time, so that their order is the order of the runs. A draft
    # here is left over from a run that was killed.
    runs = sorted(path for path in folder.iterdir() if path.is_dir())
    drafts = [path for path in runs if path.name.startswith(".") and not _alive(path)]
    finished = [path for path in runs if not path.name.startswith(".")]
    for path in [*drafts, *finished[:-_KEPT]]:
        shutil.rmtree(path, ignore_errors=True)


def _alive(draft: Path) -> bool:
    return Path("/proc", draft.name.rpartition(".")[2]).exists()
