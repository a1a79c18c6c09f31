"""Which tools a build can reach, told without starting one of them."""

from __future__ import annotations

import hashlib
import os
import shlex
from collections.abc import Iterable, Mapping
from pathlib import Path

from countci import process
from countci.model import Recipe

_USUAL = (
    *("cc", "c++", "gcc", "g++", "clang", "clang++", "ld", "as", "ar"),
    *("make", "cmake", "ninja", "meson", "pkg-config", "autoconf", "automake", "libtool"),
    *("cargo", "rustc", "go", "node", "java", "python3", "python"),
)
_CHOOSERS = ("CC", "CXX", "LD", "AS", "AR", "FC", "RUSTC", "GO", "PYTHON")

# What is reached without being on PATH: a compiler's inner programs, headers, libraries.
# They are the system's packages, whose list tells each with its version. What it says counts,
# and not when it was written: a job of a CI may install the same packages each time.
# What escapes: packages that pip puts into the interpreter, and installs by hand into
# /usr/local. A change of those between two builds has to be followed by a new cache folder.
_SYSTEM = (
    *("/var/lib/dpkg/status", "/lib/apk/db/installed", "/var/lib/pacman/local"),
    *("/usr/lib/sysimage/rpm/rpmdb.sqlite", "/var/lib/rpm/rpmdb.sqlite"),
)
_LARGEST = 2**25
"""Bytes; Debian's list has 1 to 5 million."""
# rustup's and pyenv's programs on PATH are the same file for each version: what they would
# start is told by these. (rust-toolchain.toml and .python-version are part of the tree.)
_CHOICES = {
    "RUSTUP_HOME": ("settings.toml", "update-hashes/*"),
    "PYENV_ROOT": ("version", "versions/*/bin/python"),
}


def toolchain(recipe: Recipe, env: Mapping[str, str]) -> dict[str, str]:
    """Return the identity of each tool by its name: real path, size, time stamp, versions."""
    words = [word for command in recipe.commands for word in _words(command)]
    words += [word for name in _CHOOSERS for word in _words(env.get(name, ""))]
    found = {}
    for name in sorted({*_USUAL, *words}):
        # A path into the tree is part of the tree.
        inside = "/" in name and not name.startswith("/")
        path = None if inside else process.which(name, env, Path("/"))
        if path is not None and (identity := _identity(path)):
            found[name] = identity
    for path in _SYSTEM:
        if identity := _content(path) or _identity(path):
            found[path] = identity
    for name, patterns in _CHOICES.items():
        if folder := env.get(name):
            found[name] = _choices(Path(folder), patterns)
    return found


def _words(command: str) -> Iterable[str]:
    """Return all words, and what is right of `=`: `env CC=gcc-12 ccache make` names four tools."""
    try:
        words = shlex.split(command)
    except ValueError:  # said when it is run
        words = command.split()
    return [part for word in words for part in word.split("=") if part]


def _identity(path: str) -> str:
    """Return real path, size and time stamp; empty when there is nothing."""
    try:
        real = os.path.realpath(path)
        status = os.stat(real)  # noqa: PTH116 - one form of path
    except (OSError, ValueError):
        return ""
    return f"{real} {status.st_size} {status.st_mtime_ns}"


def _content(path: str) -> str:
    """Return the digest of a list of packages; empty for what is none, or too large to read."""
    try:
        listed = Path(path)
        if not listed.is_file() or listed.stat().st_size > _LARGEST:
            return ""
        return hashlib.sha256(listed.read_bytes()).hexdigest()
    except OSError:
        return ""


def _choices(folder: Path, patterns: Iterable[str]) -> str:
    parts = []
    for pattern in patterns:
        for path in sorted(folder.glob(pattern)):
            small = path.is_file() and path.stat().st_size < 2**16
            parts.append(
                f"{path} {path.read_text(errors='replace') if small else _identity(str(path))}"
            )
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
