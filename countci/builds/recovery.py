"""After a run, and after one that was killed: finished builds stay, everything else goes."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from pathlib import Path

import countci.builds.marker as markers
from countci.builds.moves import discard, move, renew
from countci.builds.occupants import drive_out, end_ours
from countci.builds.places import Places


def recover(places: Places) -> None:
    """Bring the places into order, whatever the last run was doing when it ended.

    Under the lock. The marker decides: it is written last, so a tree that holds it is whole.

    Raises:
        MeasureError: a process that isn't ours stays in the stage.
    """
    end_ours([places.root], places.home)
    drive_out(places, (places.stage, places.work))
    _take_home(places)
    for tree in places.builds.iterdir():
        found = markers.read(tree)
        if found is None or found.key != tree.name:
            discard(tree, places)
    discard(places.work, places)
    for folder in (places.works, places.runs, places.home):
        renew(folder, places)


def empty_trash(places: Places) -> None:
    """Delete what is left over, as far as it can be. Slow: after the report, under the lock."""
    for entry in places.trash.iterdir():
        shutil.rmtree(entry, ignore_errors=True)
        if os.path.lexists(entry):
            _unlock(entry)
            shutil.rmtree(entry, ignore_errors=True)


def _take_home(places: Places) -> None:
    found = markers.read(places.stage)
    if found is None or os.path.lexists(places.builds / found.key):
        discard(places.stage, places)
    else:
        move(places.stage, places.builds / found.key)


def _unlock(folder: Path) -> None:
    # Go's modules are read-only, and only root deletes from such a folder.
    with contextlib.suppress(OSError):
        folder.chmod(stat.S_IRWXU)
    for path, names, _ in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                inner = Path(path, name)
                if not inner.is_symlink():
                    inner.chmod(stat.S_IRWXU)
