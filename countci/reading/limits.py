"""Limits as people write them in TOML."""

from __future__ import annotations

import re
from collections.abc import Mapping

from countci.errors import UsageError
from countci.model import METRICS, Limit
from countci.reading.toml import Document, known_key, scalar
from countci.units import parse_bytes, parse_share

_RATIO = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*x")


def parse_limit(text: str | float, *, where: str) -> Limit:
    """Return a limit: `1%` of base, `1.5x` base, `216 KiB` whatever base has, `constant`, `none`.

    Raises:
        UsageError: it is none of these.
    """
    plain = str(text).strip()
    if plain == "constant":
        return Limit(form="constant")
    if plain == "none":
        return Limit(form="none")
    if ratio := _RATIO.fullmatch(plain):
        if float(ratio[1]) < 1:
            raise UsageError("a ratio below 1 would fail what is equal", where=where)
        return Limit(share=float(ratio[1]) - 1, form="ratio")
    if plain.endswith("B"):
        return Limit(form="amount", amount=float(parse_bytes(plain, where=where)))
    return Limit(share=parse_share(text, where=where))


def read_limits(
    document: Document, table: Mapping[str, object], *path: str, beside: tuple[str, ...] = ()
) -> dict[str, Limit]:
    """Return the limits of `table`, which stands at `path`, by metric or a name of `beside`.

    Raises:
        UsageError: no such metric, or not a limit.
    """
    limits = {}
    for metric, value in table.items():
        known_key(document, metric, (*METRICS, *beside), *path)
        written = scalar(document, value, *path, metric)
        limits[metric] = parse_limit(written, where=document.where(*path, metric))
    return limits
