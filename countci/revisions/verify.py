"""Whether a check-out is what was committed. The exit codes of git don't tell."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence

from countci.errors import MeasureError
from countci.revisions.skeleton import Checkout, Tracked

_SHOWN = 5


def verify(checkout: Checkout, commit: str, tracked: Sequence[Tracked]) -> None:
    """Raise MeasureError unless the files are those of the commit, and no others are there.

    Where .gitattributes asks for other line ends, encodings or identifiers than were committed, git
    calls its own check-out changed. Such a file counts as right when git would write it so again.
    """
    # Submodules are verified as check-outs of their own.
    status = checkout.git("status", "--porcelain", "-z", "--ignore-submodules=dirty").stdout
    changed = os.fsdecode(status).split("\0")[:-1]
    paths = {line.removeprefix(" M ") for line in changed}
    suspects = [entry for entry in tracked if entry.path in paths]
    if len(suspects) == len(changed) and _as_git_writes_them(checkout, suspects):
        return
    more = [f"and {len(changed) - _SHOWN} more"] if len(changed) > _SHOWN else []
    raise MeasureError(
        f"the check-out of {commit[:12]} is not what was committed",
        where=str(checkout.at),
        detail="\n".join(changed[:_SHOWN] + more),
    )


def _as_git_writes_them(checkout: Checkout, entries: Sequence[Tracked]) -> bool:
    if not entries:
        return True
    if any("\n" in entry.path or not _has_its_mode(checkout, entry) for entry in entries):
        return False
    questions = checkout.git_dir / "countci-questions"
    questions.write_text(
        "".join(f"{entry.sha} {entry.path}\n" for entry in entries), errors="surrogateescape"
    )
    answers = checkout.git("cat-file", "--batch=%(objectname)", "--filters", stdin=questions).stdout
    questions.unlink()
    found = (
        entry.sha.encode() + b"\n" + (checkout.at / entry.path).read_bytes() + b"\n"
        for entry in entries
    )
    return answers == b"".join(found)


def _has_its_mode(checkout: Checkout, entry: Tracked) -> bool:
    mode = (checkout.at / entry.path).lstat().st_mode
    return stat.S_ISREG(mode) and entry.mode == ("100755" if mode & 0o100 else "100644")
