"""The diff of two revisions, as whoever explains a difference reads it."""

from __future__ import annotations

from countci.errors import UsageError
from countci.model import Revision
from countci.revisions.repository import Repository

# Each setting of the user that would change the text. Renames are found in any number of files;
# the histogram keeps moved functions whole where git's own choice interleaves them.
_DIFF = (
    "-c", "core.quotePath=false", "-c", "diff.renameLimit=0",
    "diff", "-U0", "-M", "--histogram", "--no-color", "--no-ext-diff", "--no-textconv",
    "--src-prefix=a/", "--dst-prefix=b/", "--no-relative", "--ignore-submodules=all",
)  # fmt: skip


def diff(repository: Repository, base: Revision, head: Revision, *, indented: bool = False) -> str:
    """Return what changed between two trees, without context lines, renames found.

    Args:
        repository: theirs.
        base: the older one.
        head: the newer one.
        indented: spaces in front of a line tell something, as in Python. Otherwise changes of
            spaces are left out, since no compiler of C sees them.

    Raises:
        UsageError: git can't compare them.
    """
    spaces = "--ignore-space-at-eol" if indented else "-w"
    status, out, err = repository.git(*_DIFF, spaces, base.tree, head.tree)
    if status:
        raise UsageError("git can't compare the two trees", where=head.name, detail=err)
    return out.decode(errors="replace")
