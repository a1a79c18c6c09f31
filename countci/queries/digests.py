"""Digests of query files: what a count depends on beside build and fingerprint."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import msgspec

from countci.model import Query


def of_files(files: Mapping[str, bytes]) -> str:
    """Return the digest of names and contents, in hex."""
    parts = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    return _of(parts)


def of_data(files: Mapping[str, bytes]) -> str:
    """Return the digest of the files that aren't query files, in hex."""
    return of_files({name: files[name] for name in files if not name.endswith(".toml")})


def of_query(query: Query, data: str, stdin: bytes | None) -> str:
    """Return the digest of all that the query's count depends on, in hex.

    Limits, metrics and the time limit are no part of it: a new limit must not make what is
    known useless. The suite's name is: `{work}` ends with it. A query may read any file
    beside the query files, so all of these (`data`) are, and its own standard input,
    which may be a query file.
    """
    return _of(
        {
            "suite": query.suite,
            "work": query.work,
            "setup": query.setup,
            "data": data,
            "stdin": None if stdin is None else hashlib.sha256(stdin).hexdigest(),
        }
    )


def _of(value: dict[str, Any]) -> str:
    return hashlib.sha256(msgspec.json.encode(value, order="deterministic")).hexdigest()
