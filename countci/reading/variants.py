"""`[variant.NAME]` of countci.toml."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

import countci.reading.words as words
from countci.model import PLACEMENTS, Variant
from countci.reading.toml import Document, decode, one_of, scalar

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class _Table(msgspec.Struct, rename="kebab", forbid_unknown_fields=True, kw_only=True, frozen=True):
    """A variant, as it is written."""

    env: dict[str, Any] = {}
    build: str | list[str] | None = None
    args: tuple[str, ...] = ()
    placement: str = ""


def read_variants(document: Document, names: Mapping[str, Any]) -> dict[str, Variant]:
    """Return all variants by name.

    Raises:
        UsageError: one says something impossible, or nothing at all.
    """
    return {name: _variant(document, name) for name in names}


def _variant(document: Document, name: str) -> Variant:
    path = ("variant", name)
    if not _NAME.fullmatch(name):
        detail = "letters, digits, _, - and . make a name"
        raise document.wrong(f"{name!r} is no name for a variant", *path, detail=detail)
    table = decode(document, _Table, *path)
    found = Variant(
        name=name,
        env=_env(document, table.env, *path, "env"),
        build=_build(document, table.build, *path, "build"),
        args=table.args,
        placement=table.placement,
    )
    if found == Variant(name=name):
        detail = 'env.NAME = "value", build = ["make"], args = ["--flag"] or placement'
        raise document.wrong("a variant that changes nothing", *path, detail=detail)
    if table.placement:
        one_of(document, table.placement, PLACEMENTS, *path, "placement")
    for word in table.args:
        if "\0" in word:
            raise document.wrong("a NUL character can't be part of it", *path, "args")
    return found


def _env(document: Document, table: Mapping[str, object], *path: str) -> dict[str, str]:
    env = {}
    for name, value in table.items():
        if not _VARIABLE.fullmatch(name):
            raise document.wrong(f"{name!r} is not a name of the environment", *path, name)
        text = scalar(document, value, *path, name)
        if not isinstance(text, str):
            raise document.wrong("expected string: write it in quotes", *path, name)
        if "\0" in text:
            raise document.wrong("a NUL character can't be part of it", *path, name)
        env[name] = text
    return env


def _build(
    document: Document, written: str | list[str] | None, *path: str
) -> tuple[str, ...] | None:
    if written is None:
        return None
    commands = (written,) if isinstance(written, str) else tuple(written)
    for command in commands:
        words.split(command, where=document.where(*path))
    return commands
