"""Limits as people write them in TOML."""

from __future__ import annotations

from collections.abc import Mapping

from countci.model import METRICS, Limit
from countci.reading.toml import Document, known_key, scalar
from countci.units import parse_share


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
        share = parse_share(written, where=document.where(*path, metric))
        limits[metric] = Limit(share=share)
    return limits
