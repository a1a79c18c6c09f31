"""A small real C program in a repository of its own, and changes to it whose effect is known."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

SOURCE = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELD_STEPS = 1000, BRANCH_STEPS = 1000 };

static unsigned long mix(unsigned long state, int steps)
{
    for (int i = 0; i < steps; i++)
        state = state * 6364136223846793005UL + 1442695040888963407UL;
    return state;
}

static unsigned long field(unsigned long state) { return mix(state, FIELD_STEPS); }
static unsigned long per_branch(unsigned long state) { return mix(state, BRANCH_STEPS); }

int main(int argc, char **argv)
{
    if (argc != 3) return 2;
    long n = atol(argv[2]);
    unsigned long state = 1;
    if (!strcmp(argv[1], "field"))
        while (n--) state = field(state);
    else if (!strcmp(argv[1], "per_branch"))
        while (n--) state = per_branch(state);
    else return 2;
    printf("%d\n", state != 0);
    return 0;
}
"""
CONFIG = 'build = ["cc -O1 -g -o bank bank.c"]\n'
SUITE = """
[query.field]
command = "./bank field {n}"
[query.per_branch]
command = "./bank per_branch {n}"
"""


@dataclass(frozen=True)
class Ended:
    """A countci that came to its end."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Repository:
    """A repository in a folder, a cache beside it, and countci run in it."""

    top: Path
    cache: Path

    def write(self, **files: str) -> None:
        """Write files; `__` in a name is a slash, `_dot_` a point."""
        for name, text in files.items():
            path = self.top / name.replace("__", "/").replace("_dot_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def commit(self, message: str, **files: str) -> str:
        """Write `files`, commit everything, and return the commit's sha."""
        self.write(**files)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD").strip()

    def edit(self, message: str, old: str, new: str, *, file: str = "bank.c") -> str:
        """Commit `file` with `old` replaced by `new`, and return the commit's sha."""
        text = (self.top / file).read_text(encoding="utf-8")
        assert old in text
        (self.top / file).write_text(text.replace(old, new), encoding="utf-8")
        return self.commit(message)

    def git(self, *words: str) -> str:
        """Return what git prints."""
        done = subprocess.run(
            ["git", *words], cwd=self.top, capture_output=True, text=True, check=True
        )
        return done.stdout

    def start(self, *words: str, **env: str) -> subprocess.Popen[str]:
        """Start `countci WORDS` there."""
        return subprocess.Popen(
            [sys.executable, "-m", "countci", *words],
            cwd=self.top,
            env={**os.environ, "XDG_CACHE_HOME": str(self.cache), **env},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def countci(self, *words: str, **env: str) -> Ended:
        """Run `countci WORDS` there to its end."""
        child = self.start(*words, **env)
        out, err = child.communicate(timeout=600)
        return Ended(code=child.returncode, out=out, err=err)


def bank(folder: Path) -> Repository:
    """Return the program as one commit of a new repository below `folder`."""
    made = Repository(top=folder / "bank", cache=folder / "cache")
    made.top.mkdir(parents=True)
    made.git("init", "-q", "-b", "main")
    made.git("config", "user.email", "bank@example.invalid")
    made.git("config", "user.name", "Bank")
    made.commit(
        "First",
        bank_dot_c=SOURCE,
        countci_dot_toml=CONFIG,
        queries__bank_dot_toml=SUITE,
        README_dot_md="a bank\n",
        _dot_gitignore="bank\n",
    )
    made.git("tag", "first")
    return made


def again(made: Repository) -> Repository:
    """Return the repository as its first commit was, tagged `first`; what is cached is kept."""
    made.git("checkout", "-q", "-f", "-B", "main", "first")
    made.git("clean", "-q", "-d", "-f", "-x")
    return made
