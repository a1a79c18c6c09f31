"""Where everything of one repository lies, on one file system, outside the user's checkout."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from countci.errors import UsageError

_ELSEWHERE = "name a folder of your own on a local disk with --cache-dir FOLDER"


@dataclass(frozen=True, slots=True)
class Places:
    """The folders of one repository. docs/architecture.md, "The stage", tells what is in each."""

    root: Path

    @property
    def stage(self) -> Path:
        """The tree of the side whose turn it is; missing while there is none."""
        return self.root / "stage"

    @property
    def builds(self) -> Path:
        """Finished builds that wait, by key."""
        return self.root / "builds"

    @property
    def work(self) -> Path:
        """One folder a suite, of the side on stage; missing while there is none."""
        return self.root / "work"

    @property
    def works(self) -> Path:
        """`work` of the builds that wait, by key."""
        return self.root / "works"

    @property
    def queries(self) -> Path:
        """Head's query files."""
        return self.root / "queries"

    @property
    def home(self) -> Path:
        """HOME of builds and queries; empty."""
        return self.root / "home"

    @property
    def sources(self) -> Path:
        """Git objects of countci's own making."""
        return self.root / "sources"

    @property
    def runs(self) -> Path:
        """Scratch of one run."""
        return self.root / "runs"

    @property
    def logs(self) -> Path:
        """Build logs, one a key."""
        return self.root / "logs"

    @property
    def libraries(self) -> Path:
        """Preloaded libraries of countci's own, compiled at first use."""
        return self.root / "libraries"

    @property
    def trash(self) -> Path:
        """What is left over, deleted after the report."""
        return self.root / "trash"

    @property
    def store(self) -> Path:
        """Counts that are known."""
        return self.root / "store.sqlite"

    @property
    def lock(self) -> Path:
        """Held by the countci that works here."""
        return self.root / "lock"

    @property
    def temporary(self) -> Path:
        """TMPDIR of builds."""
        return self.runs / "tmp"

    @property
    def folders(self) -> tuple[Path, ...]:
        """All that are always there: not stage and work, which come and go by rename."""
        return (
            *(self.builds, self.works, self.queries, self.home),
            *(self.sources, self.runs, self.logs, self.trash),
        )


def locate(cache: Path, repository: Path) -> Places:
    """Return the places of `repository` below the cache folder.

    Its name is short, since a socket's path has room for 108 bytes.

    Args:
        cache: `$XDG_CACHE_HOME/countci`, or what `cache-dir` says.
        repository: its git folder, the same for all its linked worktrees.
    """
    name = hashlib.sha256(os.fsencode(repository.resolve())).hexdigest()[:12]
    return Places(cache / name)


def prepare(places: Places, checkout: Path | None = None) -> Places:
    """Return the places, symbolic links resolved, with their folders made.

    Args:
        places: where they shall be.
        checkout: the user's working tree; None for a bare repository.

    Raises:
        UsageError: they would lie inside the checkout (tools that walk up would find the
            user's files, and the user's build would find ours), can't be written, or are
            spread over file systems, so that nothing could be renamed between them.
    """
    # A program that asks for its working directory is told the resolved path.
    places = Places(places.root.resolve())
    where = str(places.root)
    if checkout is not None and places.root.is_relative_to(checkout.resolve()):
        raise UsageError(
            f"the cache folder lies inside the checkout {checkout}", where=where, detail=_ELSEWHERE
        )
    try:
        places.root.mkdir(mode=0o700, parents=True, exist_ok=True)
        for folder in places.folders:
            folder.mkdir(exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"can't be written: {error.strerror}", where=error.filename or where, detail=_ELSEWHERE
        ) from error
    _refuse_read_only(places)
    _refuse_mounts(places)
    return places


def _refuse_mounts(places: Places) -> None:
    device = places.root.stat().st_dev
    for folder in (places.stage, places.work, *places.folders):
        if folder.exists() and (folder.stat().st_dev != device or folder.is_mount()):
            raise UsageError(
                "is a mount point, and builds are moved by rename",
                where=str(folder),
                detail=f"unmount it (umount {folder}), or {_ELSEWHERE}",
            )


def _refuse_read_only(places: Places) -> None:
    for folder in (places.root, *places.folders):
        if not os.access(folder, os.W_OK | os.X_OK, effective_ids=True):
            raise UsageError("can't be written", where=str(folder), detail=_ELSEWHERE)
