"""Proposals for languages whose build is one tool: Cargo, Go."""

from __future__ import annotations

import posixpath
import re
import tomllib
from typing import Any

from countci.cli.proposals.proposal import (
    Proposal,
    Texts,
    first,
    folder,
    is_aside,
    mains,
    named,
    stand_in,
    with_arguments,
)


def cargo(files: Texts) -> Proposal | None:
    """Return the proposal for a crate, or a workspace of crates, at the top."""
    if "Cargo.toml" not in files:
        return None
    locked = " --locked" if "Cargo.lock" in files else ""
    build = (f"cargo build --release{locked}",)
    programs: list[str] = []
    for path in named(files, "Cargo.toml"):
        programs += _binaries(files, path)
    program = first(programs)
    if program is None:
        return stand_in("Cargo, no program", build)
    sources = [files[path] for path in named(files, "Cargo.toml")] + mains(files, ".rs")
    return Proposal(
        found=f"Cargo, the program {program}",
        build=build,
        command=with_arguments(f"target/release/{program}", *sources),
    )


def go(files: Texts) -> Proposal | None:
    """Return the proposal for a Go module at the top."""
    if "go.mod" not in files:
        return None
    packages = [
        posixpath.dirname(path)
        for path in sorted(files, key=lambda path: (path.count("/"), path))
        if path.endswith(".go")
        and not path.endswith("_test.go")
        and re.search(r"(?m)^package main\b", files[path])
        and not re.search(r"(?m)^//go:build ignore", files[path])
    ]
    package = first(packages)
    if package is None:
        return stand_in("Go, no program", ("go build ./...",))
    module = re.search(r"(?m)^module\s+(\S+)", files["go.mod"])
    name = posixpath.basename(package or re.sub(r"/v[0-9]+$", "", module[1] if module else "main"))
    source = f"./{package}" if package else "."
    return Proposal(
        found=f"Go, the program {name}",
        build=(f"go build -o build/{name} {source}",),
        command=with_arguments(f"build/{name}", *mains(files, ".go")),
    )


def table(text: str) -> dict[str, Any]:
    """Return what a TOML file of somebody else's holds; nothing when it is broken."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return {}


def _binaries(files: Texts, path: str) -> list[str]:
    """Return the names of the programs that the crate at `path` makes."""
    crate = table(files[path])
    package = crate.get("package")
    if not isinstance(package, dict) or is_aside(posixpath.dirname(path)):
        return []
    bins = crate.get("bin")
    names = (
        [each.get("name") for each in bins if isinstance(each, dict)]
        if isinstance(bins, list)
        else []
    )
    if not names and f"{folder(path)}src/main.rs" in files:
        names.append(package.get("name"))
    start = f"{folder(path)}src/bin/"
    names += [
        posixpath.basename(other).removesuffix(".rs")
        for other in files
        if other.startswith(start) and other.endswith(".rs") and "/" not in other[len(start) :]
    ]
    return [name for name in names if isinstance(name, str) and re.fullmatch(r"[\w-]+", name)]
