"""Many queries, counted on all processors."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import TypeAlias

from countci import process
from countci.counting import engine, snapshots
from countci.counting.engine import Counted
from countci.counting.request import Count
from countci.counting.snapshots import Segmented
from countci.errors import CountciError
from countci.model import Measurement, Problem, Reason
from countci.progress import Progress

Request: TypeAlias = Count | Segmented
"""What is to be counted, by how it is: a process at several n, or segments of one process."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one query: a measurement or a problem."""

    measurement: Measurement | None = None
    problem: Problem | None = None
    notes: tuple[Reason, ...] = ()
    ended: float = 0.0
    """When its first run did, on the clock of `time.monotonic`; 0 when that was another day."""


def count_all(requests: Sequence[Request], *, jobs: int, progress: Progress) -> dict[str, Outcome]:
    """Return what became of each query, by its id, in the order of the requests.

    A query that fails keeps none of the others from being counted.

    Args:
        requests: one of each query; each with a folder of its own.
        jobs: processes that run at a time.
        progress: is told when a query is done.
    """
    outcomes: dict[str, Outcome] = {}
    # Two pools: a query waits for its runs, and must not take the place of one.
    runs, queries = ThreadPoolExecutor(jobs), ThreadPoolExecutor(jobs)
    try:
        started = {queries.submit(_outcome, each, runs): each.query for each in requests}
        for done, future in enumerate(as_completed(started), start=1):
            outcomes[started[future]] = future.result()
            progress.advance(started[future], done, len(started))
    except BaseException:
        # Interrupted: what waits is dropped, what runs is ended, so that no thread hangs on.
        for pool in (queries, runs):
            pool.shutdown(wait=False, cancel_futures=True)
        process.end_all()
        raise
    finally:
        queries.shutdown()
        runs.shutdown()
    return {each.query: outcomes[each.query] for each in requests}


def _outcome(request: Request, runs: Executor) -> Outcome:
    try:
        counted = _count(request, runs)
    except CountciError as error:
        return Outcome(problem=Problem.of(error))
    return Outcome(measurement=counted.measurement, notes=counted.notes, ended=counted.ended)


def _count(request: Request, runs: Executor) -> Counted:
    if isinstance(request, Segmented):
        return snapshots.count(request, runs)
    return engine.count(request, runs)
