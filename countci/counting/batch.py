"""Many queries, counted on all processors."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor, ThreadPoolExecutor, as_completed
from functools import partial
from typing import TypeAlias

import countci.counting.engine as engine
import countci.counting.snapshots as snapshots
import countci.counting.suites as suites
from countci import process
from countci.counting.outcome import Outcome
from countci.counting.request import Count
from countci.counting.snapshots import Segmented
from countci.counting.suites import Suite
from countci.errors import CountciError
from countci.model import Problem
from countci.progress import Progress

Request: TypeAlias = Count | Segmented | Suite
"""What is to be counted, by how it is: a process at several n, or segments of one process."""


def count_all(requests: Sequence[Request], *, jobs: int, progress: Progress) -> dict[str, Outcome]:
    """Return what became of each query, by its id, in the order of the requests.

    A query that fails keeps none of the others from being counted. A suite's tests come right
    behind it.

    Args:
        requests: one of each query; each with a folder of its own.
        jobs: processes that run at a time.
        progress: is told when a query is done, and how many tests of a suite are.
    """
    outcomes: dict[str, dict[str, Outcome]] = {}
    # Two pools: a query waits for its runs, and must not take the place of one.
    runs, queries = ThreadPoolExecutor(jobs), ThreadPoolExecutor(jobs)
    try:
        started = {
            queries.submit(_outcomes, each, runs, progress): _name(each) for each in requests
        }
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
    return {name: outcome for each in requests for name, outcome in outcomes[_name(each)].items()}


def _name(request: Request) -> str:
    return request.query + request.label if isinstance(request, Suite) else request.query


def _outcomes(request: Request, runs: Executor, progress: Progress) -> dict[str, Outcome]:
    try:
        if isinstance(request, Suite):
            every = len(request.points) or None  # unknown until pytest has collected it
            return suites.count(request, runs, partial(progress.advance, _name(request), of=every))
        if isinstance(request, Segmented):
            counted = snapshots.count(request, runs)
        else:
            counted = engine.count(request, runs)
    except CountciError as error:
        return {_name(request): Outcome(problem=Problem.of(error))}
    outcome = Outcome(measurement=counted.measurement, notes=counted.notes, ended=counted.ended)
    return {request.query: outcome}
