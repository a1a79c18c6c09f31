"""`countci init`: writes a configuration and a first query for the repository at hand."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import click

from countci.config import FILE, PYPROJECT
from countci.errors import UsageError
from countci.reading.toml import parse

_SUITE = "first"
_SKIPPED = {"node_modules", "build", "target", "vendor", "venv", "third_party", "__pycache__"}
_DEPTH = 4
_MOST_FILES = 2000
_MOST_BYTES = 200_000
_TELLING = (
    *("CMakeLists.txt", "meson.build", "Makefile", "makefile", "GNUmakefile", "Makefile.am"),
    *("configure", "configure.ac", "configure.in", "go.mod", "setup.cfg", "package-lock.json"),
    *(".toml", ".lock", ".json", ".c", ".cc", ".cpp", ".cxx", ".rs", ".go", ".py", ".js", ".mjs"),
)


@click.command()
@click.option("--force", is_flag=True, help="Overwrite what an earlier init wrote.")
def init(*, force: bool) -> None:
    """Write a configuration and a first query for the repository at hand."""
    here = Path.cwd()
    for line in write(here, force=force):
        click.echo(line)


def write(here: Path, *, force: bool) -> list[str]:
    """Write the two files for the repository that `here` is in, and return what to tell the user.

    Raises:
        UsageError: there is a configuration already.
    """
    from countci.cli.proposals import propose
    from countci.cli.proposals.starter import config_text, suite_text

    top = _top(here)
    proposal = propose(dict(_files(top)))
    targets = [top / FILE, top / proposal.queries / f"{_SUITE}.toml"]
    _refuse_present(top, [] if force else targets)
    texts = [config_text(proposal), suite_text(proposal, suite=_SUITE)]
    for path, text in zip(targets, texts, strict=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    names = [os.path.relpath(path, here) for path in targets]
    return [
        f"found {proposal.found}",
        *(f"wrote {name}" for name in names),
        "",
        f"Read both. {proposal.note}.",
        f"See that it works:     countci count --config {names[0]}",
        "  An exit status is the program's own: give its command the arguments and the",
        "  input of real work, and let {n} say how often it does that work in one process",
        f"Then commit them:      git add {' '.join(names)} && git commit",
        "From the next commit:  countci compare",
    ]


def _top(folder: Path) -> Path:
    for each in (folder, *folder.parents):
        if (each / ".git").exists():
            return each
    raise UsageError("not in a git repository", where=str(folder), detail="type git init first")


def _refuse_present(top: Path, targets: list[Path]) -> None:
    """Raise a UsageError when something would be overwritten, or be one configuration too many."""
    for path in targets:
        if path.exists():
            detail = "countci init --force overwrites it"
            raise UsageError("is there already", where=str(path.relative_to(top)), detail=detail)
    pyproject = top / PYPROJECT
    if pyproject.is_file() and b"countci" in (content := pyproject.read_bytes()):
        document = parse(content, file=PYPROJECT, root=("tool", "countci"))
        if document.table:
            raise UsageError(
                "[tool.countci] configures countci already",
                where=PYPROJECT,
                detail=f"take it out, if {FILE} is to replace it",
            )


def _files(top: Path) -> Iterator[tuple[str, bytes]]:
    """Yield what may tell how the project is built: enough of it, never a whole big tree."""
    seen = 0
    for folder, folders, names in os.walk(top):
        here = Path(folder).relative_to(top)
        folders[:] = sorted(
            each for each in folders if not each.startswith(".") and each not in _SKIPPED
        )
        if len(here.parts) >= _DEPTH:
            folders.clear()
        for name in sorted(names):
            path = top / here / name
            if not name.endswith(_TELLING) or not path.is_file() or seen == _MOST_FILES:
                continue
            seen += 1
            with path.open("rb") as file:
                yield (here / name).as_posix(), file.read(_MOST_BYTES)
