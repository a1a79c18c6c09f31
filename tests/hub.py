"""A repository as GitHub serves it, with a pull request; and check-outs as actions/checkout makes.

`fetch` there is what ref-helper.ts and git-command-manager.ts of actions/checkout v7 run.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_WHO = {
    f"GIT_{role}_{key}": text
    for role in ("AUTHOR", "COMMITTER")
    for key, text in {"NAME": "Ada", "EMAIL": "ada@example.org"}.items()
}
MERGE = "refs/pull/7/merge"


@dataclass(frozen=True)
class Hub:
    """One repository of a server, and its commits by what they are."""

    top: Path
    env: Mapping[str, str]

    def git(self, *words: str, at: Path | None = None, given: str = "") -> str:
        """Return what git prints, in the server's repository unless another one is named."""
        done = subprocess.run(
            ["git", *words],
            cwd=at or self.top,
            env={**self.env, **_WHO},
            input=given,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def commit(self, message: str, **files: str) -> str:
        """Commit files on whatever is checked out there; `_dot_` in a name is a point."""
        for name, text in files.items():
            path = self.top / name.replace("__", "/").replace("_dot_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")

    def commits(self, number: int, letter: str = "x") -> None:
        """Add so many commits of the same files to the branch that is checked out, in one go."""
        branch = self.git("symbolic-ref", "HEAD")
        start = f"from {branch}^0\n"
        who = "committer Ada <ada@example.org> 1700000000 +0000"
        one = f"commit {branch}\n{who}\ndata 1\n{letter}\n"
        self.git("fast-import", "--quiet", given=one + start + one * (number - 1))

    def branch(self, name: str, at: str) -> None:
        """Check out a new branch."""
        self.git("checkout", "--quiet", "-B", name, at)

    def merge(self, base: str, head: str, ref: str = MERGE) -> str:
        """Make the test merge of `head` into `base`, and return it."""
        self.git("checkout", "--quiet", "--detach", base)
        self.git("merge", "--quiet", "--no-ff", "-m", f"Merge {head} into {base}", head)
        sha = self.git("rev-parse", "HEAD")
        self.git("update-ref", ref, sha)
        return sha

    def check_out(self, at: Path, sha: str, *, ref: str = MERGE, depth: int = 1) -> Path:
        """Return a check-out of `sha`, as the action makes it; depth 0 is everything."""
        at.mkdir(parents=True)
        self.git("init", "--quiet", "--initial-branch=main", at=at)
        self.git("remote", "add", "origin", f"file://{self.top}", at=at)
        here = ref.replace("refs/pull", "refs/remotes/pull").replace(
            "refs/heads", "refs/remotes/origin"
        )
        how, what = ["--no-tags", f"--depth={depth}"], [f"+{sha}:{here}"]
        if depth == 0:
            how, what = [], ["+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*"]
            what += [f"+{sha}:{here}"] if "pull" in here else []
        how += ["--prune", "--no-recurse-submodules"]
        self.git("-c", "protocol.version=2", "fetch", "--quiet", *how, "origin", *what, at=at)
        self.git("checkout", "--quiet", "--force", here, at=at)
        assert self.git("rev-parse", "HEAD", at=at) == sha
        return at


def hub(folder: Path) -> Hub:
    """Return an empty repository that serves any commit it has, as GitHub does."""
    (folder / "home").mkdir(parents=True)
    env = {"PATH": os.environ["PATH"], "HOME": str(folder / "home"), "GIT_CONFIG_NOSYSTEM": "1"}
    made = Hub(top=folder / "hub", env=env)
    made.top.mkdir()
    made.git("init", "--quiet", "--initial-branch=main")
    made.git("config", "uploadpack.allowAnySHA1InWant", "true")
    return made
