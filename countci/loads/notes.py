"""What runs under load showed beside what is judged: threads, lateness, how servers ended. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from countci.model import Reason, Run, Samples
from countci.model.servers import Load, ThreadUse
from countci.units import show_count, show_seconds

_THREADS = 8


def notes(load: Load, samples: Samples) -> tuple[Reason, ...]:
    """Return what a reader should know about the runs of both sides."""
    pairs = samples.pairs + samples.confirming
    base, head = [pair.base for pair in pairs], [pair.head for pair in pairs]
    if not pairs:
        return ()
    return (*_loop(load, (*base, *head)), *_threads(base, head), *_remarks((*base, *head)))


def _loop(load: Load, runs: Sequence[Run]) -> Iterator[Reason]:
    if load.loop == "closed":
        text = (
            f"closed loop of {load.concurrency} connections ({load.tool}): for throughput; while "
            "the server stalls nothing is sent, so its response times are no user's"
        )
        if load.tool != "own":
            text += "; threads that ended with their connection were not seen"
        yield Reason(code="closed-loop", text=text)
        return
    late = max(run.values["lateness_p99"] for run in runs)
    rate = median(run.values["achieved_rate"] for run in runs)
    text = (
        f"open loop, {load.arrivals} arrivals, {show_count(load.rate)} requests/s asked for, "
        f"{show_count(rate)} sent, never later than {show_seconds(late)} (p99); response times "
        "count from when a request was due"
    )
    yield Reason(code="open-loop", text=text)


def _threads(base: Sequence[Run], head: Sequence[Run]) -> Iterator[Reason]:
    """Yield what the busiest threads did on both sides, medians over the runs."""
    before, after = _by_name(base), _by_name(head)
    names = sorted(
        {*before, *after}, key=lambda name: -max(_cpu(before.get(name)), _cpu(after.get(name)))
    )
    for name in names[:_THREADS]:
        text = f"thread {name}: base {_used(before.get(name))}; head {_used(after.get(name))}"
        yield Reason(code="threads", text=text)


def _by_name(runs: Sequence[Run]) -> dict[str, list[ThreadUse]]:
    found: dict[str, list[ThreadUse]] = {}
    for run in runs:
        for each in run.threads:
            found.setdefault(each.name, []).append(each)
    return found


def _cpu(uses: Sequence[ThreadUse] | None) -> float:
    return median(each.cpu for each in uses) if uses else 0.0


def _used(uses: Sequence[ThreadUse] | None) -> str:
    if not uses:
        return "none"
    count = median(each.count for each in uses)
    voluntary = median(each.voluntary for each in uses)
    involuntary = median(each.involuntary for each in uses)
    waiting = median(each.waiting for each in uses)
    return (
        f"×{count:g}, CPU {show_seconds(_cpu(uses))}, "
        f"kept waiting for a processor {show_seconds(waiting)}, "
        f"switches {show_count(voluntary)} voluntary, {show_count(involuntary)} involuntary"
    )


def _remarks(runs: Sequence[Run]) -> Iterator[Reason]:
    for text in dict.fromkeys(remark for run in runs for remark in run.remarks):
        yield Reason(code="server", text=text)
