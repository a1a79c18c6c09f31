"""What `countci init` would write for a repository, and what all proposers read it with."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

Texts: TypeAlias = Mapping[str, str]
"""The repository's files, by path below its top folder."""

# What reads like a test is built last, if at all, and measures nothing a user waits for.
_ASIDE = re.compile(r"(^|[/_-])(tests?|examples?|fuzz|docs?|unit)(?=$|[/_.-])|test$")
# Libraries and modules that read a command line, all of which know --help.
_PARSERS = re.compile(
    r"--help|\bclap\b|\bstructopt\b|\bargparse\b|\bclick\b|\btyper\b|\bdocopt\b|\bCLI11?\b"
    r"|spf13/cobra|spf13/pflag|\bcommander\b|\byargs\b|\"flag\""
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A build and a first query. Made by a proposer."""

    found: str
    """What was recognised, for a comment: `CMake, program bank`."""
    build: tuple[str, ...]
    command: str
    note: str = "This only starts the program: give it work that its users wait for"
    """What to change about the command: a sentence without a full stop."""
    sure: bool = True
    """Whether the command runs a program of the project, and not a stand-in for one."""
    env: Mapping[str, str] = field(default_factory=dict)
    queries: str = "queries"
    """The folder that query files go to."""


def stand_in(found: str, build: tuple[str, ...], command: str = "echo replace me") -> Proposal:
    """Return the proposal where no program is known: a command that works all the same."""
    return Proposal(
        found=found,
        build=build,
        command=command,
        note="No program was found that could be asked, so this is a stand-in: replace it with "
        "one that the build makes",
        sure=False,
    )


def named(files: Texts, name: str) -> Iterator[str]:
    """Yield the paths of the files of that name, those near the top first."""
    found = [path for path in files if posixpath.basename(path) == name]
    yield from sorted(found, key=lambda path: (path.count("/"), path))


def folder(path: str) -> str:
    """Return the folder with a slash at its end, or nothing for the top."""
    parent = posixpath.dirname(path)
    return f"{parent}/" if parent else ""


def is_aside(name: str) -> bool:
    """Return whether the name reads like a test or an example."""
    return bool(_ASIDE.search(name.lower()))


def is_plain(path: str) -> bool:
    """Return whether the path means itself in a command line and in a comment."""
    return bool(re.fullmatch(r"[\w./+-]*", path))


def first(programs: list[str]) -> str | None:
    """Return the program that most likely is the project's own."""
    return min(filter(is_plain, programs), key=is_aside, default=None)


def with_arguments(program: str, *sources: str) -> str:
    """Return the command that starts `program` and ends well, as far as its source tells."""
    text = "\n".join(sources)
    if "--version" in text:
        return f"{program} --version"
    return f"{program} --help" if _PARSERS.search(text) else program


def mains(files: Texts, *suffixes: str) -> list[str]:
    """Return the texts of sources that hold a main function and are no test."""
    return [
        text
        for path, text in files.items()
        if path.endswith(suffixes) and not is_aside(path) and re.search(r"\bmain\s*\(", text)
    ]
