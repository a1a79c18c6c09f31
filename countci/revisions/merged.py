"""A merge that nobody made yet, as a commit that only countci's own store holds."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from countci import process
from countci.errors import MeasureError, UsageError
from countci.model import Revision
from countci.revisions.environment import of_user
from countci.revisions.names import deepen, look_up, read_commit
from countci.revisions.objects import quoted
from countci.revisions.repository import Repository
from countci.revisions.worktree import store_commit

_NEEDED = (2, 38)
_MOST_SHOWN = 20


def contains(repository: Repository, target: Revision, head: Revision) -> bool:
    """Return whether all of `head` is in `target` already, so that merging it changes nothing."""
    status, _, err = repository.git("merge-base", "--is-ancestor", head.sha, target.sha)
    if status not in {0, 1}:
        raise UsageError("git can't tell what is merged", where=target.name, detail=err.strip())
    return status == 0


def merge(repository: Repository, objects: Path, *, target: Revision, head: Revision) -> Revision:
    """Return the commit that merging `head` into `target` would give.

    It is made in memory: no worktree, index or ref has a part in it. Its parents are the two, so
    what the messages of head's commits accept holds for it. Equal sides give an equal commit.

    Args:
        repository: whose settings of merging apply.
        objects: a folder of countci's own, where everything new is written.
        target: what is merged into.
        head: what is merged.

    Raises:
        UsageError: git is too old, or the two have no commit in common.
        MeasureError: they conflict, so there is nothing that could be measured.
    """
    tree = head.tree
    if not contains(repository, head, target):
        tree = _merged_tree(repository, objects, target, head)
    return _commit(
        repository.with_objects(objects),
        objects,
        tree,
        parents=(target, head),
        name=f"merge into {target.name}",
    )


def staged(
    repository: Repository, objects: Path, *, index: Path, merging: Sequence[str]
) -> Revision:
    """Return the merge that git is about to commit: what `index` holds, on top of HEAD.

    Args:
        repository: where the merge is made.
        objects: a folder of countci's own, where everything new is written.
        index: the index file that git named to its hook; it is only read.
        merging: shas of what is merged.
    """
    repository = repository.with_objects(objects)
    parents = [
        read_commit(repository, known[1], name=name)
        for name in ("HEAD", *merging)
        if (known := look_up(repository, f"{name}^{{commit}}"))
    ]
    with tempfile.TemporaryDirectory(prefix="tmp_index_", dir=objects) as scratch:
        copy = shutil.copy2(index, scratch)
        done = process.run(
            process.Command(
                argv=("git", "write-tree", "--missing-ok"),
                env={**_git_env(repository, objects), "GIT_INDEX_FILE": str(copy)},
                cwd=repository.top or repository.git_dir,
                private=True,
            )
        )
    tree = done.stdout.decode().strip()
    return _commit(repository, objects, tree, parents=parents, name="the merge being made")


def _merged_tree(repository: Repository, objects: Path, target: Revision, head: Revision) -> str:
    _refuse_old_git(repository)
    _refuse_unrelated(repository, target, head)
    objects.mkdir(parents=True, exist_ok=True)
    borrowed = os.pathsep.join(quoted(each) for each in repository.objects)
    done = process.run(
        process.Command(
            argv=(
                *("git", "merge-tree", "--write-tree", "-z", "--name-only", "--no-messages"),
                *(target.sha, head.sha),
            ),
            env={
                **_git_env(repository, objects),
                "GIT_ALTERNATE_OBJECT_DIRECTORIES": borrowed,
            },
            cwd=repository.top or repository.git_dir,
            private=True,
        ),
        check=False,
    )
    tree, *paths = os.fsdecode(done.stdout).rstrip("\0").split("\0")
    if done.status == 1:
        raise _conflict(target, head, sorted(set(filter(None, paths))))
    if done.status:
        raise MeasureError("git can't merge", where=head.name, detail=done.stderr.strip())
    return tree


def _git_env(repository: Repository, objects: Path) -> dict[str, str]:
    where = {"GIT_DIR": str(repository.git_dir), "GIT_OBJECT_DIRECTORY": str(objects)}
    if repository.top is not None:
        where["GIT_WORK_TREE"] = str(repository.top)
    return {**of_user(repository.env), **where}


def _conflict(target: Revision, head: Revision, paths: Sequence[str]) -> MeasureError:
    shown = list(paths[:_MOST_SHOWN])
    if len(paths) > _MOST_SHOWN:
        shown.append(f"and {len(paths) - _MOST_SHOWN} more")
    return MeasureError(
        f"conflicts with {target.name}, so there is no merge to measure",
        where=head.name,
        detail="\n".join([*shown, f"resolve them on your branch first: git merge {target.name}"]),
    )


def _refuse_old_git(repository: Repository) -> None:
    _, out, _ = repository.git("version")
    text = out.decode(errors="replace").strip()
    found = re.search(r"(\d+)\.(\d+)", text)
    if found and (int(found[1]), int(found[2])) < _NEEDED:
        raise UsageError(
            f"merging in memory needs git 2.38 or later, and this is {text}",
            detail="update git, or merge by yourself and compare: countci compare TARGET HEAD",
        )


def _refuse_unrelated(repository: Repository, target: Revision, head: Revision) -> None:
    status, _, _ = repository.git("merge-base", target.sha, head.sha)
    if status == 0:
        return
    if repository.shallow:
        raise UsageError(
            f"this shallow clone doesn't reach back to the merge base with {target.name}",
            where=head.name,
            detail=deepen(repository),
        )
    raise UsageError(
        f"has no commit in common with {target.name}",
        where=head.name,
        detail="name another target: countci pre-merge TARGET",
    )


def _commit(
    repository: Repository,
    objects: Path,
    tree: str,
    *,
    parents: Sequence[Revision],
    name: str,
) -> Revision:
    sha = store_commit(
        objects,
        tree=tree,
        parents=[parent.sha for parent in parents],
        when=max(parent.when for parent in parents),
        message=f"Merge {', '.join(each.sha[:12] for each in parents[1:])}",
    )
    return read_commit(repository, sha, name=name)
