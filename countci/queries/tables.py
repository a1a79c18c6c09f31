"""What a query file may hold, as it is written, before any kind has read its part."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from countci.errors import UsageError
from countci.model import Limit, Metric
from countci.reading.toml import Document, Scalar


class Written(
    msgspec.Struct, rename="kebab", forbid_unknown_fields=True, kw_only=True, frozen=True
):
    """What all tables share."""


class SuiteTable(Written, frozen=True, kw_only=True):
    """A query file."""

    setup: str | None = None
    query: dict[str, Any] = {}


class QueryTable(Written, frozen=True, kw_only=True):
    """What every kind's `[query.NAME]` may hold; each kind adds its own."""

    kind: str = "command"
    metrics: tuple[str, ...] = ("instructions", "time")
    limit: dict[str, Any] = {}
    timeout: Scalar = "60s"
    output: str = "any"
    placement: str = ""
    sweep: dict[str, Any] = {}
    """Read, and filled in, before the rest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One `[query.NAME]`, and what is around it."""

    document: Document
    name: str
    """As it is written, without the values of a sweep."""
    file: str
    """Path of the query file below its folder."""
    files: Collection[str]
    """Paths of all files below that folder."""
    sweep: Mapping[str, str] = field(default_factory=dict)
    """Its point of a sweep, whose values the document holds already."""

    def where(self, *key: str) -> str:
        """Return `file:line` of a key of the query."""
        return self.document.where("query", self.name, *key)

    def wrong(self, problem: str, *key: str, detail: str = "") -> UsageError:
        """Return the error that says so of a key of the query."""
        return self.document.wrong(problem, "query", self.name, *key, detail=detail)


@dataclass(frozen=True, slots=True, kw_only=True)
class Own:
    """Metrics that only this query has, as its kind reads them."""

    metrics: Mapping[str, Metric] = field(default_factory=dict)
    limits: Mapping[str, Limit] = field(default_factory=dict)
    """Those that are written beside a metric."""
    usual: tuple[str, ...] = ()
    """What is measured where the query doesn't say."""
