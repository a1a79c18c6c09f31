"""`sweep.clients = [20, 30, 60]`: one query of each value, under one name."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from countci.queries.placeholders import NAMES
from countci.reading.toml import Document

_AXIS = re.compile(r"[A-Za-z_]\w*")
# It becomes part of a query's name, and of commands: nothing that either would act upon.
_VALUE = re.compile(r"[A-Za-z0-9_.:+-]+")
_PART = re.compile(r"\{\{|\}\}|\{(\w+)\}")
_MOST = 200
"""Queries of one sweep; more would be a slip."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A query file in which one query has the values of one point of its sweep."""

    document: Document
    values: Mapping[str, str]
    """By the name that stands for it; empty without a sweep."""


def points(document: Document, name: str) -> list[Point]:
    """Return every point of the sweep of the query `name`, the last axis changing fastest.

    Raises:
        UsageError: an axis has no values, or stands nowhere in the query.
    """
    table = document.table["query"][name]
    if not isinstance(table, dict) or "sweep" not in table:
        return [Point(document=document, values={})]
    axes = _axes(document, name, table["sweep"])
    rest = {key: value for key, value in table.items() if key != "sweep"}
    used = set(_names(rest))
    for axis in axes:
        if axis not in used:
            detail = f"write {{{axis}}} where the value belongs, in the command for one"
            problem = f"{{{axis}}} stands nowhere in the query"
            raise document.wrong(problem, "query", name, "sweep", axis, detail=detail)
    every = list(itertools.product(*axes.values()))
    if len(every) > _MOST:
        problem = f"{len(every)} queries, more than {_MOST}"
        raise document.wrong(problem, "query", name, "sweep")
    return [_point(document, name, rest, dict(zip(axes, each, strict=True))) for each in every]


def label(values: Mapping[str, str]) -> str:
    """Return what tells a point of a sweep from the others: `[clients=20]`."""
    return f"[{','.join(f'{axis}={value}' for axis, value in values.items())}]" if values else ""


def _axes(document: Document, name: str, sweep: object) -> dict[str, list[int | float | str]]:
    path = ("query", name, "sweep")
    if not isinstance(sweep, dict) or not sweep:
        raise document.wrong("expected a table", *path, detail="sweep.clients = [20, 30, 60]")
    for axis, given in sweep.items():
        if not _AXIS.fullmatch(axis) or axis in NAMES:
            raise document.wrong(f"{axis!r} can't be the name of a sweep", *path, axis)
        if not isinstance(given, list) or not given:
            detail = f"sweep.{axis} = [20, 30, 60]"
            raise document.wrong("expected an array of values", *path, axis, detail=detail)
        texts = [_text(value) for value in given]
        for text in texts:
            if not _VALUE.fullmatch(text):
                detail = "numbers, or words of letters, digits and _ . : + -"
                raise document.wrong(f"{text!r} is no value", *path, axis, detail=detail)
        if len(set(texts)) < len(texts):
            raise document.wrong("name each value once", *path, axis)
    return sweep


def _point(
    document: Document, name: str, table: Mapping[str, Any], at: Mapping[str, int | float | str]
) -> Point:
    filled = {key: _filled(value, at, exact=key != "env") for key, value in table.items()}
    queries = {**document.table["query"], name: filled}
    return Point(
        document=replace(document, table={**document.table, "query": queries}),
        values={axis: _text(value) for axis, value in at.items()},
    )


def _filled(value: object, at: Mapping[str, int | float | str], *, exact: bool) -> object:
    """Return `value` with the placeholders of the sweep filled in, at any depth.

    Args:
        value: of TOML.
        at: value of each axis.
        exact: text that is nothing but a placeholder becomes the number itself, which keys
            like `load.rate` take.
    """
    if isinstance(value, dict):
        return {key: _filled(each, at, exact=exact) for key, each in value.items()}
    if isinstance(value, list):
        return [_filled(each, at, exact=False) for each in value]
    if not isinstance(value, str):
        return value
    if exact and value.startswith("{") and value[1:-1] in at and value.endswith("}"):
        return at[value[1:-1]]
    return _PART.sub(lambda found: _text(at[found[1]]) if found[1] in at else found[0], value)


def _names(value: object) -> Iterator[str]:
    """Yield the name of every placeholder in a value of TOML."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from _names(each)
    elif isinstance(value, str):
        yield from (found[1] for found in _PART.finditer(value) if found[1])


def _text(value: object) -> str:
    return str(value)
