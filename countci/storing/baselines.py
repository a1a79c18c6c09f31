"""Baselines: recorded counts, one JSON file a platform, kept in the repository and reviewed.

Equal counts give equal bytes: keys are sorted, and numbers rounded to four digits after the
point, whole ones without a point. That is at most 0.00005 instructions an ask, and whoever
compares with a record rounds alike (`model.Recorded.of`).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

import msgspec

from countci.errors import MeasureError, UsageError
from countci.judging import differing
from countci.model import (
    METRICS,
    Baseline,
    Fingerprint,
    Measurement,
    Query,
    Recorded,
    RecordedQuery,
    Revision,
)

FOLDER = "baselines"
"""Of the repository."""
VERSION = 2
"""Of the file's form."""
_READ = {1, VERSION}
"""Form 1 has no allocators, so that its Python queries are refused; the others are read."""
_RECORD = "countci baseline record writes it again"


def file_name(fingerprint: Fingerprint) -> str:
    """Return the name of this platform's file: `x86_64-v3-glibc2.36-valgrind3.19.0.json`.

    The stage is no part of it, so that machines share a file; nor is countci's own way of
    counting, so that a new one replaces the file instead of adding another.
    """
    tier = fingerprint.cpu.removeprefix("x86-64").removeprefix("-")
    if not re.fullmatch(r"(v[0-9])?", tier):
        # A processor that no level names is known by its list of features.
        tier = hashlib.sha256(fingerprint.cpu.encode()).hexdigest()[:8]
    parts = (fingerprint.machine, tier, fingerprint.libc, f"valgrind{fingerprint.valgrind}")
    plain = (re.sub(r"[^A-Za-z0-9_.]", "", part) for part in parts)
    return "-".join(part for part in plain if part) + ".json"


def record(
    revision: Revision, fingerprint: Fingerprint, measured: Iterable[tuple[Query, Measurement]]
) -> bytes:
    """Return the content of a baseline file.

    Args:
        revision: what was counted.
        fingerprint: of the machine that counted.
        measured: each query that has an exact metric, with its counts.

    Raises:
        MeasureError: nothing was counted, an ask costs nothing, or counts are another machine's.
    """
    baseline = Baseline(
        schema=VERSION,
        sha=revision.sha,
        subject=revision.subject,
        fingerprint=fingerprint.platform,
        queries={query.id: _recorded(query, found, fingerprint) for query, found in measured},
    )
    if not baseline.queries:
        raise MeasureError("no query was counted: there is nothing to record")
    plain = _plain(msgspec.to_builtins(baseline))
    return (json.dumps(plain, indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode()


def read(content: bytes, *, name: str) -> Baseline:
    """Return the baseline that is written in `content`.

    Args:
        content: the file's.
        name: its path, for messages.

    Raises:
        UsageError: not JSON, another version's, or not exactly a baseline; names line or key.
    """
    table = _parse(content, name)
    if isinstance(table, dict) and table.get("schema", VERSION) not in _READ:
        raise UsageError(
            f"written in form {table['schema']}; this countci reads form {VERSION}",
            where=name,
            detail=f"use the countci that wrote it; or {_RECORD}",
        )
    try:
        found = msgspec.convert(table, Baseline)
        _refuse_nothing(found)
    except msgspec.ValidationError as error:
        problem, _, path = str(error).partition(" - at ")
        raise UsageError(
            f"not a baseline: {problem[0].lower()}{problem[1:]}",
            where=f"{name}: {path.strip('`')}" if path else name,
            detail=_RECORD,
        ) from error
    return found


def _refuse_nothing(baseline: Baseline) -> None:
    """Raise a ValidationError for an ask that costs nothing, which no work does."""
    for query, recorded in baseline.queries.items():
        for metric, counted in recorded.metrics.items():
            if not counted.per_ask and not _is_whole(metric):
                path = f"$.queries.{query}.metrics.{metric}.per_ask"
                raise msgspec.ValidationError(f"Expected `float` > 0.0 - at `{path}`")


def find(files: Mapping[str, bytes], fingerprint: Fingerprint) -> Baseline | None:
    """Return this platform's baseline; None when there is none.

    Args:
        files: of the folder of baselines, by name.
        fingerprint: of the machine at hand.

    Raises:
        UsageError: the file can't be read.
    """
    name = file_name(fingerprint)
    return read(files[name], name=f"{FOLDER}/{name}") if name in files else None


def require(files: Mapping[str, bytes], fingerprint: Fingerprint) -> Baseline:
    """Return this platform's baseline.

    Args:
        files: of the folder of baselines, by name.
        fingerprint: of the machine at hand.

    Raises:
        UsageError: there is none, it can't be read, or it is another platform's all the same;
            names what differs, and the remedy.
    """
    found = find(files, fingerprint)
    name = file_name(fingerprint)
    if found is not None and not differing(found, fingerprint):
        return found
    names = [name] if found is not None else sorted(each for each in files if _is_ours(each))
    reasons = [
        f"{each} is another platform's: {'; '.join(differing(other, fingerprint))}"
        for each in names
        for other in [read(files[each], name=f"{FOLDER}/{each}")]
    ]
    raise UsageError(
        "no baseline was recorded on this platform",
        where=f"{FOLDER}/{name}",
        detail="\n".join([*reasons, "countci baseline record writes it; commit the file"]),
    )


def _is_ours(name: str) -> bool:
    return name.endswith(".json") and "/" not in name


def _recorded(query: Query, found: Measurement, fingerprint: Fingerprint) -> RecordedQuery:
    if found.fingerprint.partition(" ")[0] != fingerprint.digest:
        raise MeasureError("counted on another machine, or by other tools", where=query.id)
    metrics = {metric: Recorded.of(counts) for metric, counts in found.counts.items()}
    for metric, recorded in metrics.items():
        if recorded.per_ask <= 0 and not _is_whole(metric):
            raise MeasureError(
                f"an ask costs no {metric}, so there is nothing to record",
                where=query.id,
                detail="the command does no work, or does not do it {n} times",
            )
    return RecordedQuery(
        digest=query.digest, output=found.output, metrics=metrics, allocator=found.allocator
    )


def _is_whole(metric: str) -> bool:
    return metric in METRICS and METRICS[metric].whole


def _plain(value: Any) -> Any:  # noqa: ANN401 - any JSON
    """Return `value` with whole floats as integers, which is how people write them."""
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _parse(content: bytes, name: str) -> object:
    try:
        return json.loads(content, object_pairs_hook=_unique, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        problem, where = f"not JSON: {error.msg.lower()}", f"{name}:{error.lineno}"
        # The most likely reason, since a machine writes the file.
        detail = f"a merge may have left its marks; {_RECORD}"
    except (ValueError, RecursionError) as error:
        problem, where, detail = f"not JSON: {error}", name, _RECORD
    raise UsageError(problem, where=where, detail=detail)


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    table = dict(pairs)
    if len(table) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice!r} stands there twice")
    return table


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number")
