"""A query as a variant asks it."""

from __future__ import annotations

import hashlib
import shlex
from typing import Any

import msgspec
from msgspec.structs import replace

from countci.errors import UsageError
from countci.model import Query, Variant
from countci.queries.placed import check_placement
from countci.queries.placeholders import NAMES, fill


def varied(query: Query, variant: Variant | None) -> Query:
    """Return what is asked of a build of `variant`: `query` with its settings, under its id.

    The digest is another one wherever the work is: a count under one variant is never taken
    for a count under another.
    """
    if variant is None or not variant.asks:
        return query
    if variant.placement:
        query = replace(query, placement=variant.placement)
    changes: dict[str, Any] = {"env": {**query.work.env, **variant.env}}
    if variant.args and takes_args(query):
        changes["command"] = f"{query.work.command} {shlex.join(variant.args)}"  # type: ignore[union-attr]
    work = replace(query.work, **changes)
    if work == query.work:
        return query
    parts = [query.digest.encode(), msgspec.json.encode(work, order="deterministic")]
    return replace(query, work=work, digest=hashlib.sha256(b"\0".join(parts)).hexdigest())


def alike(base: Variant | None, head: Variant | None) -> bool:
    """Return whether both ask every query in the same way, whatever they build."""
    return _asked(base) == _asked(head)


def takes_args(query: Query) -> bool:
    """Return whether a query has a command that `args` can be appended to."""
    return isinstance(getattr(query.work, "command", None), str)


def check_variant(variant: Variant, query: Query, *, where: str) -> None:
    """Raise a UsageError for settings with which `query` could never be run."""
    for name, value in variant.env.items():
        fill(value, dict.fromkeys(NAMES[1:], ""), f"{where}.env.{name}")
    for word in variant.args:
        fill(word, dict.fromkeys(NAMES[1:], ""), f"{where}.args")
    if variant.placement:
        check_placement(query, variant.placement, where=f"{where}.placement")
    if query.work.fixed and "LD_PRELOAD" in variant.env:
        raise UsageError(
            f"{query.id} is `fixed`, which preloads a library: it can't have another one",
            where=f"{where}.env.LD_PRELOAD",
            detail="leave one of the two out, or choose other queries with --query",
        )


def _asked(variant: Variant | None) -> Variant:
    """Return a variant without what is no part of asking."""
    return Variant(name="") if variant is None else replace(variant, name="", build=None)
