"""Which of a project's own `addopts` a counted suite keeps."""

from __future__ import annotations

import configparser
import shlex
import tomllib
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

# Where tests are found and which of the project's plugins are there. What else stands in
# addopts measures coverage, starts workers or prints: it would change every count.
_KEPT: Final = ("--import-mode", "--rootdir", "--confcutdir")
_DROPPED: Final = ("pytest_cov", "xdist", "pytest_benchmark", "pytest_codspeed", "pytest_randomly")
_SECTIONS: Final = {
    "pytest.ini": "pytest",
    ".pytest.ini": "pytest",
    "tox.ini": "pytest",
    "setup.cfg": "tool:pytest",
}
_ORDER: Final = (
    "pytest.toml",
    "pytest.ini",
    ".pytest.ini",
    "pyproject.toml",
    "tox.ini",
    "setup.cfg",
)


def kept(folder: Path, argv: Sequence[str]) -> list[str]:
    """Return the arguments that are kept of the configuration that pytest would read.

    Args:
        folder: where pytest is started.
        argv: its arguments; `-c FILE` among them names the configuration.
    """
    files = [folder / name for name in _ORDER]
    for flag, value in pairwise(argv):
        if flag == "-c":
            files = [folder / value]
    for file in files:
        options = _options(file)
        if options is not None:
            return list(_filtered(options))
    return []


def _filtered(options: Sequence[str]) -> Iterator[str]:
    words = iter(options)
    for word in words:
        name, equals, value = word.partition("=")
        if word.startswith("-p") and not word.startswith("--"):
            plugin = word[2:] or next(words, "")
            if not plugin.strip().startswith(_DROPPED):
                yield f"-p{plugin.strip()}"
        elif name in _KEPT:
            yield f"{name}={value if equals else next(words, '')}"


def _options(file: Path) -> list[str] | None:
    """Return the file's addopts; None when pytest would look further."""
    if not file.is_file():
        return None
    found: Any
    if file.suffix == ".toml":
        tables = tomllib.loads(file.read_text(encoding="utf-8"))
        table = tables.get("pytest") or tables.get("tool", {}).get("pytest")
        if table is None:
            return None
        found = table.get("ini_options", table).get("addopts", [])
    else:
        parser = configparser.ConfigParser(interpolation=None)
        parser.read(file, encoding="utf-8")
        section = _SECTIONS.get(file.name, "pytest")
        if not parser.has_section(section):
            return [] if file.name.endswith("pytest.ini") else None
        found = parser.get(section, "addopts", fallback="")
    return shlex.split(found) if isinstance(found, str) else list(found)
