"""TOML, read strictly: each mistake is named with its file, its line and its key."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, TypeAlias, TypeVar

import msgspec

from countci.errors import UsageError
from countci.reading.positions import BARE, line_numbers
from countci.reading.spelling import did_you_mean, listed

T = TypeVar("T", bound=msgspec.Struct)

# tomllib takes integers of any length, which nothing after it does.
Scalar: TypeAlias = str | float | Annotated[int, msgspec.Meta(ge=0, le=2**53)]
"""Text, or a number that may be written without quotes."""

_TYPES = {"str": "string", "int": "integer", "bool": "boolean", "object": "table"}


@dataclass(frozen=True, kw_only=True)
class Document:
    """A TOML file, and the table of it that matters. Made by `parse`."""

    file: str
    """Its path, for messages."""
    text: str
    table: dict[str, Any]
    root: tuple[str, ...] = ()
    """Where `table` stands in the file."""

    def where(self, *path: str) -> str:
        """Return `file:line` of the key, of what it stands in when it has no line of its own."""
        whole = (*self.root, *path)
        for length in range(len(whole), 0, -1):
            line = self._lines.get(whole[:length])
            if line:
                return f"{self.file}:{line}"
        return self.file

    def wrong(self, problem: str, *path: str, detail: str = "") -> UsageError:
        """Return the error that says so of the key."""
        spelled = spell(*self.root, *path)
        text = f"{spelled}: {problem}" if spelled else problem
        return UsageError(text, where=self.where(*path), detail=detail)

    @cached_property
    def _lines(self) -> dict[tuple[str, ...], int]:
        return line_numbers(self.text)


def parse(content: bytes, *, file: str, root: tuple[str, ...] = ()) -> Document:
    """Return the file, cut down to the table at `root` (an empty one when there is none).

    Raises:
        UsageError: not UTF-8, or not TOML; with `file:line`.
    """
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UsageError(
            "not UTF-8", where=f"{file}:{line}", detail="save the file as UTF-8 text"
        ) from error
    text = text.replace("\r\n", "\n")
    try:
        table = tomllib.loads(text)
    except RecursionError as error:
        raise UsageError("nested too deeply", where=file) from error
    except ValueError as error:
        raise _syntax(error, text, file) from error
    whole = Document(file=file, text=text, table=table)
    for depth, name in enumerate(root, start=1):
        table = table.get(name, {})
        if not isinstance(table, dict):
            raise whole.wrong("expected a table", *root[:depth])
    return Document(file=file, text=text, table=table, root=root)


def decode(document: Document, kind: type[T], *path: str) -> T:
    """Return the table at `path` as `kind`.

    Raises:
        UsageError: an unknown key, a missing one, or a value of another type.
    """
    value: Any = document.table
    for name in path:
        value = value[name]
    _check_keys(document, value, kind, path)
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise _wrong_type(document, str(error), path) from error


def scalar(document: Document, value: object, *path: str) -> str | float:
    """Return `value`, which stands at `path`, when it is text or a number.

    Raises:
        UsageError: it is something else.
    """
    try:
        checked: str | float = msgspec.convert(value, Scalar)
    except msgspec.ValidationError as error:
        raise _wrong_type(document, str(error), path) from error
    return checked


def one_of(document: Document, value: str, known: Collection[str], *path: str) -> None:
    """Raise a UsageError with a suggestion unless `value`, which stands at `path`, is known."""
    if value not in known:
        problem = f'"{value}" is not one of {listed(known)}{did_you_mean(value, known)}'
        raise document.wrong(problem, *path)


def known_key(document: Document, name: str, known: Collection[str], *path: str) -> None:
    """Raise a UsageError with a suggestion unless the key `name`, in `path`, is known."""
    if name not in known:
        problem = f"no such key{did_you_mean(name, known)}"
        raise document.wrong(problem, *path, name, detail=f"there are {listed(known)}")


def spell(*path: str) -> str:
    """Return the key as TOML writes it."""
    return ".".join(name if re.fullmatch(BARE, name) else json.dumps(name) for name in path)


def _check_keys(
    document: Document, value: object, kind: type[msgspec.Struct], path: tuple[str, ...]
) -> None:
    if not isinstance(value, dict):
        raise document.wrong(f"expected a table, got {_show_type(value)}", *path)
    fields = msgspec.structs.fields(kind)
    known = sorted(field.encode_name for field in fields)
    for name in value:
        known_key(document, name, known, *path)
    for field in fields:
        if field.required and field.encode_name not in value:
            raise document.wrong("missing", *path, field.encode_name)


def _wrong_type(document: Document, message: str, path: tuple[str, ...]) -> UsageError:
    """Return msgspec's complaint in the words of TOML, at the key it is about."""
    problem, _, place = message.partition(" - at `$")
    inner = re.findall(BARE, re.sub(r"\[.*", "", place))
    # What tomllib makes of a date is a type that no key asks for.
    problem = re.sub(r"`([^`]*)`", lambda found: _in_toml(found[1]), problem)
    return document.wrong(problem[:1].lower() + problem[1:], *path, *inner)


def _in_toml(types: str) -> str:
    return " or ".join(_TYPES.get(name, name) for name in types.split(" | ") if name != "null")


def _show_type(value: object) -> str:
    name = "array" if isinstance(value, list) else type(value).__name__
    return _TYPES.get(name, name)


def _syntax(error: ValueError, text: str, file: str) -> UsageError:
    message = str(error)
    found = re.fullmatch(r"(.*) \(at (?:line ([0-9]+), column [0-9]+|end of document)\)", message)
    if not found:
        return UsageError(message, where=file)
    line = found[2] or text.rstrip("\n").count("\n") + 1
    detail = "put text in quotes" if found[1] == "Invalid value" else ""
    return UsageError(found[1][:1].lower() + found[1][1:], where=f"{file}:{line}", detail=detail)
