"""countci.toml, or `[tool.countci]` in pyproject.toml, to Config."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from countci.errors import UsageError
from countci.model import DEFAULT_LIMITS, Limit, PythonEnvironment, Reason, Recipe, Variant
from countci.reading import words
from countci.reading.limits import read_limits
from countci.reading.toml import Document, Scalar, decode, one_of, parse
from countci.reading.variants import read_variants
from countci.units import Seconds, parse_bytes, parse_seconds

FILE = "countci.toml"
PYPROJECT = "pyproject.toml"
_ROOT = ("tool", "countci")
_DRIFT = "drift"
"""The limit that holds instructions against the recorded baseline, not against base."""
_INIT = "countci init writes a first one; commit it, or name it with --config FILE"
# Any of these takes the place of the flags that the interpreter was built with, -DNDEBUG
# among them: multidict 6.5.0 then took nine times as long, running its asserts.
_FLAGS = ("CFLAGS", "CPPFLAGS", "CXXFLAGS", "LDFLAGS", "OPT")


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """What a project says about itself. Made by `load`."""

    source: str
    """Path of the file it came from."""
    recipe: Recipe
    queries: str
    """Path of the folder of query files, below the file it came from."""
    limits: dict[str, Limit]
    """One for every metric there is; a query may have its own."""
    drift: Limit | None
    """How far instructions may be from the recorded baseline; None is as far as they like."""
    unsettled: str
    """`fail` or `pass`: what a report that can't decide exits as."""
    pass_env: tuple[str, ...]
    """Names of the user's environment that reach the build."""
    cache_size: int
    """Bytes of finished builds that are kept."""
    cache_dir: Path | None
    """Instead of `$XDG_CACHE_HOME/countci`."""
    variants: dict[str, Variant]
    """By name."""


class _Table(msgspec.Struct, rename="kebab", forbid_unknown_fields=True, kw_only=True, frozen=True):
    """The file, as it is written."""

    build: str | list[str] = []
    python: dict[str, Any] | None = None
    build_inputs: tuple[str, ...] = ()
    artifacts: tuple[str, ...] = ()
    build_timeout: Scalar = "30m"
    pass_env: tuple[str, ...] = ()
    queries: str = "queries"
    unsettled: str = "fail"
    cache_size: str = "5 GiB"
    cache_dir: str | None = None
    limits: dict[str, Any] = {}
    variant: dict[str, Any] = {}


def load(read: Callable[[str], bytes | None], *, where: str) -> Config:
    """Return the configuration of a revision.

    Args:
        read: gives the content of a file by its path, None when there is no such file.
        where: the revision, for the message that there is none.

    Raises:
        UsageError: there is none, or two, or one says something impossible.
    """
    own, shared = read(FILE), read(PYPROJECT)
    # One that never names countci isn't ours to refuse, whatever else is wrong with it.
    if shared is not None and b"countci" in shared:
        document = parse(shared, file=PYPROJECT, root=_ROOT)
        if document.table and own is not None:
            raise UsageError(
                f"{FILE} and [tool.countci] of {PYPROJECT} both configure countci",
                where=where,
                detail="keep one of the two",
            )
        if document.table:
            return _config(document)
    if own is None:
        raise UsageError(
            f"no {FILE}, and no [tool.countci] in {PYPROJECT}", where=where, detail=_INIT
        )
    return parse_file(own, file=FILE)


def parse_file(content: bytes, *, file: str) -> Config:
    """Return the configuration that one file holds, a pyproject.toml by its name.

    Raises:
        UsageError: it says something impossible.
    """
    shared = posixpath.basename(file) == PYPROJECT
    return _config(parse(content, file=file, root=_ROOT if shared else ()))


def changed(base: Config, head: Config) -> tuple[Reason, ...]:
    """Return what head's configuration asks less strictly than base's, beside limits."""
    if base.unsettled == "fail" and head.unsettled == "pass":
        text = f"{head.source}: unsettled counts as a pass now, on base it did not"
        return (Reason(code="unsettled-loosened", text=text),)
    return ()


def _config(document: Document) -> Config:
    if not {"build", "python"} & document.table.keys():
        detail = 'write build = ["make"], [python], or build = [] when there is nothing to build'
        raise document.wrong("missing", "build", detail=detail)
    table = decode(document, _Table)
    one_of(document, table.unsettled, ("fail", "pass"), "unsettled")
    for name in table.pass_env:
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
            raise document.wrong(f"{name!r} is not a name of the environment", "pass-env")
    limits = read_limits(document, table.limits, "limits", beside=(_DRIFT,))
    return Config(
        source=document.file,
        recipe=_recipe(document, table),
        queries=_inside(document, table.queries, "queries"),
        drift=limits.pop(_DRIFT, None),
        limits={**DEFAULT_LIMITS, **limits},
        unsettled=table.unsettled,
        pass_env=table.pass_env,
        cache_size=parse_bytes(table.cache_size, where=document.where("cache-size")),
        cache_dir=_cache_dir(document, table.cache_dir),
        variants=read_variants(document, table.variant),
    )


def _recipe(document: Document, table: _Table) -> Recipe:
    commands = (table.build,) if isinstance(table.build, str) else tuple(table.build)
    for command in commands:
        words.split(command, where=document.where("build"))
    timeout = parse_seconds(table.build_timeout, where=document.where("build-timeout"))
    return Recipe(
        commands=commands,
        inputs=tuple(_inside(document, path, "build-inputs") for path in table.build_inputs),
        artifacts=tuple(_inside(document, path, "artifacts") for path in table.artifacts),
        timeout=Seconds(timeout),
        python=None if table.python is None else _python(document, table.pass_env),
    )


def _python(document: Document, pass_env: tuple[str, ...]) -> PythonEnvironment:
    found = decode(document, PythonEnvironment, "python")
    for flags in sorted({*pass_env} & {*_FLAGS}):
        detail = "its value takes the place of the interpreter's own; set it in the project"
        raise document.wrong(f"{flags} can't reach a Python build", "pass-env", detail=detail)
    name = found.interpreter
    if not name or name.startswith("-") or ("/" in name and not name.startswith("/")):
        detail = 'write a name on PATH ("python3.12") or an absolute path'
        raise document.wrong(f"{name!r} names no program", "python", "interpreter", detail=detail)
    for key, given in (("extras", found.extras), ("groups", found.groups)):
        for each in given:
            if not re.fullmatch(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?", each):
                raise document.wrong(f"{each!r} is no name", "python", key)
    for package in found.packages:
        if not re.match(r"[A-Za-z0-9]", package) or not package.isprintable():
            detail = "write options and paths into a file that requirements names"
            raise document.wrong(f"{package!r} is no package", "python", "packages", detail=detail)
    files = tuple(_inside(document, path, "python", "requirements") for path in found.requirements)
    return msgspec.structs.replace(found, requirements=files)


def _inside(document: Document, path: str, *key: str) -> str:
    """Return `path`, normal, when it lies below the file's folder."""
    normal = posixpath.normpath(path)
    if not path or "\0" in path or normal in {".", ".."} or normal.startswith(("/", "../")):
        detail = "write a path below the repository's top folder"
        raise document.wrong(f"{path!r} is not a path inside the project", *key, detail=detail)
    return normal


def _cache_dir(document: Document, path: str | None) -> Path | None:
    if path is None:
        return None
    if not path.startswith("/") or "\0" in path:
        detail = "it is read on every machine, so write it from / on"
        raise document.wrong(f"{path!r} is not an absolute path", "cache-dir", detail=detail)
    return Path(path)
