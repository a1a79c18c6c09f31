"""What is counted already, in one SQLite file.

A row is found by build, query and fingerprint, and holds as long as what was looked at outside
the build is what it was: a stale store is merely useless, never wrong. A file that
is damaged or of another version is set aside: a miss, not an error.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from countci.errors import MeasureError
from countci.model import Measurement
from countci.storing.outside import Now

VERSION = 3
_WAIT = 30.0
"""Seconds to wait for another process that writes."""
_SCHEMA = """
create table if not exists measurement (
    build text not null,
    query text not null,
    fingerprint text not null,
    points text not null,
    body blob not null,
    outside blob not null,
    used real not null,
    primary key (build, query, fingerprint, points)
) without rowid;
"""
_LOOK_UP = """
select body, outside from measurement
where build = ? and query = ? and fingerprint = ? and (? is null or points = ?)
order by used desc limit 1
"""
_ALL = """
select build, query, body, outside from measurement
where build in (select value from json_each(?)) and query in (select value from json_each(?))
order by used desc
"""


class Store:
    """Measurements that are known, by build, digest of the query and fingerprint.

    Raises:
        MeasureError: any of its methods, where the file can't be read or written: the disk is
            full, another program has it locked.
    """

    def __init__(self, path: Path) -> None:
        """Open the store at `path`, or begin one."""
        self._path = path

    def known(
        self, build: str, query: str, fingerprint: str, points: Sequence[int] | None = None
    ) -> Measurement | None:
        """Return what was counted at these points, or at any points, latest use first.

        Args:
            build: key of the build.
            query: digest of the query, not its name.
            fingerprint: digest of the fingerprint.
            points: the n of each point; None takes any.
        """
        asked = None if points is None else _points(points)
        with self._open() as database:
            row = database.execute(_LOOK_UP, (build, query, fingerprint, asked, asked)).fetchone()
        return row and _valid(row[0], row[1], Now())

    def known_of(
        self, builds: Iterable[str], queries: Iterable[str]
    ) -> dict[tuple[str, str], tuple[Measurement, ...]]:
        """Return all that was counted of many builds, by build and digest of the query.

        Args:
            builds: keys.
            queries: digests.

        Shape:
            One question to the file, and one look at each library. Latest use first, at any
            points, by any fingerprint.
        """
        asked = [msgspec.json.encode(list(each)).decode() for each in (builds, queries)]
        with self._open() as database:
            rows = database.execute(_ALL, asked).fetchall()
        found: dict[tuple[str, str], list[Measurement]] = {}
        now = Now()
        for build, query, body, outside in rows:
            if valid := _valid(body, outside, now):
                found.setdefault((build, query), []).append(valid)
        return {key: tuple(each) for key, each in found.items()}

    def keep(self, *found: tuple[Measurement, str]) -> None:
        """Remember measurements, each with the digest of its query; all of them or none."""
        # At once: each time, the file has to reach the disk.
        rows = [_row(measurement, query) for measurement, query in found]
        with self._open() as database:
            database.executemany(
                "insert or replace into measurement values (?, ?, ?, ?, ?, ?, ?)", rows
            )

    @contextlib.contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            with contextlib.closing(self._connect()) as database, database:
                yield database
        except sqlite3.OperationalError as error:
            raise MeasureError(
                f"what is counted already can't be read or kept: {error}",
                where=str(self._path),
                detail="look at the space on that disk, its permissions, and what else has it open",
            ) from error

    def _connect(self) -> sqlite3.Connection:
        try:
            return _opened(self._path)
        except sqlite3.OperationalError:
            raise  # it is in use, or the disk is full: that says nothing against what is in it
        except sqlite3.DatabaseError:
            # Damaged, or written by another version: nothing in it can be trusted.
            aside = self._path.with_suffix(f".unreadable-{time.time_ns()}")
            self._path.replace(aside)
            for end in ("-wal", "-shm"):
                self._path.with_name(self._path.name + end).unlink(missing_ok=True)
            return _opened(self._path)


def _valid(body: bytes, outside: bytes, now: Now) -> Measurement | None:
    """Return a measurement; None when it can't be read, or a library changed since."""
    try:
        found = msgspec.json.decode(body, type=Measurement)
        before = msgspec.json.decode(outside, type=dict[str, str])
    except msgspec.MsgspecError:
        return None
    if before != now.identities(found):
        return None
    return msgspec.structs.replace(found, stored=True)


def _opened(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, timeout=_WAIT)
    with contextlib.ExitStack() as stack:
        stack.callback(database.close)
        _prepare(database)
        stack.pop_all()
    return database


def _prepare(database: sqlite3.Connection) -> None:
    version = database.execute("pragma user_version").fetchone()[0]
    if version == 0:
        database.execute("pragma journal_mode = wal")
        database.executescript(
            f"begin immediate; {_SCHEMA} pragma user_version = {VERSION}; commit;"
        )
    elif version != VERSION:
        raise sqlite3.DatabaseError(f"version {version}")


def _row(measurement: Measurement, query: str) -> tuple[str, str, str, str, bytes, bytes, float]:
    longest = max(measurement.counts.values(), key=lambda counts: len(counts.points))
    return (
        measurement.build,
        query,
        measurement.fingerprint,
        _points([point.n for point in longest.points]),
        msgspec.json.encode(measurement),
        msgspec.json.encode(Now().identities(measurement)),
        time.time(),
    )


def _points(points: Sequence[int]) -> str:
    return ",".join(map(str, points))
