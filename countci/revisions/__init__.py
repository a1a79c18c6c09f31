"""Git: names to revisions, files of a revision, check-outs. The only user of GitPython."""

from countci.revisions.bases import default_base, default_target
from countci.revisions.checkout import check_out
from countci.revisions.diffs import diff
from countci.revisions.fetching import fetch, fetch_missing, has, remote_tip
from countci.revisions.files import changed_paths, export, list_files, read_file, tree_digest
from countci.revisions.histories import bring_merge_base, cut_off, parents
from countci.revisions.hooks import hook_folder, is_first, known_to
from countci.revisions.made import Made
from countci.revisions.merged import contains, merge, staged
from countci.revisions.names import resolve
from countci.revisions.ranges import commits, ends, line
from countci.revisions.repository import Repository, open_repository
from countci.revisions.trailers import misplaced, trailers
from countci.revisions.worktree import snapshot

__all__ = [
    "Made",
    "Repository",
    "bring_merge_base",
    "changed_paths",
    "check_out",
    "commits",
    "contains",
    "cut_off",
    "default_base",
    "default_target",
    "diff",
    "ends",
    "export",
    "fetch",
    "fetch_missing",
    "has",
    "hook_folder",
    "is_first",
    "known_to",
    "line",
    "list_files",
    "merge",
    "misplaced",
    "open_repository",
    "parents",
    "read_file",
    "remote_tip",
    "resolve",
    "snapshot",
    "staged",
    "trailers",
    "tree_digest",
]
