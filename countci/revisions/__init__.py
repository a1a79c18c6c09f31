"""Git: names to revisions, files of a revision, check-outs. The only user of GitPython."""

from countci.revisions.bases import default_base
from countci.revisions.checkout import check_out
from countci.revisions.diffs import diff
from countci.revisions.files import changed_paths, export, list_files, read_file, tree_digest
from countci.revisions.made import Made
from countci.revisions.names import resolve
from countci.revisions.ranges import commits, line
from countci.revisions.repository import Repository, open_repository
from countci.revisions.trailers import misplaced, trailers
from countci.revisions.worktree import snapshot

__all__ = [
    "Made",
    "Repository",
    "changed_paths",
    "check_out",
    "commits",
    "default_base",
    "diff",
    "export",
    "line",
    "list_files",
    "misplaced",
    "open_repository",
    "read_file",
    "resolve",
    "snapshot",
    "trailers",
    "tree_digest",
]
