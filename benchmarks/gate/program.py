"""A C program of ten queries in a repository of its own, whose last commit changes one of them."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

STEPS = tuple(1000 * thousand for thousand in (1, 2, 40, 200, 900, 1500, 2500, 4000, 7000, 9000))
"""Of each query, about three instructions each: small asks and large ones are counted unlike."""
SOURCE = """\
#include <stdio.h>
#include <stdlib.h>

static const int steps[] = {%s};

static unsigned long ask(unsigned long state, int count)
{
    for (int i = 0; i < count; i++)
        state = state * 6364136223846793005UL + 1442695040888963407UL;
    return state;
}

int main(int argc, char **argv)
{
    if (argc != 3) return 2;
    unsigned long state = 1;
    for (long n = atol(argv[2]); n > 0; n--)
        state = ask(state, steps[atoi(argv[1])]);
    printf("%%d\\n", state != 0);
    return 0;
}
"""
BUILD = ("cc", "-O1", "-g", "-o", "ten", "ten.c")


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """A repository in a folder, made by `ten_queries`."""

    top: Path

    def commit(self, message: str, **files: str) -> None:
        """Write files (`_dot_` in a name is a point) and commit them."""
        for name, text in files.items():
            (self.top / name.replace("_dot_", ".")).write_text(text, encoding="utf-8")
        self.git("add", "-A")
        self.git("commit", "--quiet", "--message", message)

    def git(self, *words: str) -> None:
        """Run git there."""
        who = ("-c", "user.name=A. Programmer", "-c", "user.email=programmer@example.org")
        subprocess.run(["git", *who, *words], cwd=self.top, check=True)


def ten_queries(top: Path) -> Repository:
    """Return a new repository of two commits: the second makes one query half a percent slower."""
    (top / "queries").mkdir(parents=True)
    repository = Repository(top=top)
    repository.git("init", "--quiet", "--initial-branch=main")
    queries = (f'[query.q{i}]\ncommand = "./ten {i} {{n}}"\n' for i in range(len(STEPS)))
    (top / "queries" / "ten.toml").write_text("\n".join(queries), encoding="utf-8")
    repository.commit(
        "Ten queries",
        ten_dot_c=_source(STEPS),
        countci_dot_toml=f'build = ["{" ".join(BUILD)}"]\n',
        README="A program\n",
        _dot_gitignore="/ten\n",
    )
    repository.commit("One is slower", ten_dot_c=_source((*STEPS[:-1], STEPS[-1] * 201 // 200)))
    return repository


def _source(steps: tuple[int, ...]) -> str:
    return SOURCE % ", ".join(map(str, steps))
