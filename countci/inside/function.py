"""Measures one function of a project, and writes what it found as one JSON object.

Always: `problem` and `detail` (null and empty when all is well), `python`, `flat` (the flat
allocator is in use), `threads`. Besides, by the mode:

count   `plan` [warm, points], `segments` [[asks, [[pid before, pid after], ...]], ...],
        `empty` (null), `sleeps` (an ask waits most of its time), `answer` [digest, bytes printed]
probe   `seconds` and `cpu` an ask, `asks` that were tried
trace   `trace`, as `tracing_codes.py` says
time    `loops`, `seconds`, `cpu`, `wait`, `voluntary`, `involuntary`, `faults`, `peak_memory`
"""

from __future__ import annotations

import argparse
import gc
import os
import resource
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from .asks import COLLECTORS, Instrument, loop
from .clocks import now, since
from .digest import answer
from .plan import WARM, WARM_LONG, Plan, SleepError
from .snapshot import SnapshotError, Snapshots
from .target import TargetError, check, load, story

_PROBE: Final = 0.1  # seconds that the last group of a probe takes at least
_LONG: Final = 0.02  # seconds: longer asks have specialised their inner calls sooner


def main(argv: Sequence[str]) -> int:
    """Do what the arguments say, write the file, and return the exit status."""
    options = _options(argv)
    found: dict[str, Any] = {"problem": None, "detail": ""}
    try:
        ask = load(options.function, options.setup)
        check(ask(), options.function)
        found |= _MODES[options.mode](options, ask)
    except TargetError as error:
        found |= {"problem": error.args[0], "detail": error.args[1]}
    except (SnapshotError, SleepError) as error:
        found |= {"problem": str(error)}
    except BaseException as error:  # noqa: BLE001 - somebody's code: even SystemExit is data
        problem = f"{options.function} raises {type(error).__name__}"
        found |= {"problem": problem, "detail": story(error)}
    _write(Path(options.out), found | process())
    return 1 if found["problem"] else 0


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="runner.py", allow_abbrev=False)
    parser.add_argument("--function", required=True, metavar="MODULE:NAME")
    parser.add_argument("--setup", metavar="MODULE:NAME")
    parser.add_argument("--out", required=True, metavar="FILE")
    parser.add_argument("--collector", choices=COLLECTORS, default="each")
    parser.add_argument("--warm", type=int, default=WARM)
    parser.add_argument("--profiles", metavar="PATTERN")
    mode = parser.add_mutually_exclusive_group(required=True)
    mode.add_argument("--points", type=_points)
    mode.add_argument("--probe", action="store_true")
    mode.add_argument("--loops", type=int)
    mode.add_argument("--trace", action="store_true")
    options = parser.parse_args(argv)
    options.mode = "probe" if options.probe else "time" if options.loops else "count"
    options.mode = "trace" if options.trace else options.mode
    if options.points == () and not options.profiles:
        parser.error("--points auto needs --profiles")
    return options


def _points(text: str) -> tuple[int, ...]:
    """Return three rising numbers, none for `auto`."""
    if text == "auto":
        return ()
    points = tuple(int(word) for word in text.split(","))
    if len(points) != 3 or sorted({*points, 0}) != [0, *points]:
        raise argparse.ArgumentTypeError(f"{text!r}: three rising numbers, such as 4,8,16")
    return points


def _count(options: argparse.Namespace, ask: Callable[[], Any]) -> dict[str, Any]:
    plan = Plan(max(2, options.warm), options.points) if options.points else None
    instrument = Instrument(Snapshots(), options.collector, options.profiles)
    counted = instrument.count(ask, plan)
    return {
        "plan": counted.plan,
        "segments": counted.segments,
        "empty": counted.empty,
        "sleeps": counted.first.sleeps,
        "collector": options.collector,
        "answer": answer(ask),
    }


def _probe(_options: argparse.Namespace, ask: Callable[[], Any]) -> dict[str, Any]:
    settle = COLLECTORS["each"]
    before = now()
    loop(ask, 1, settle)
    first = since(before).wall
    loop(ask, WARM_LONG if first > _LONG else WARM, settle)
    n = 1
    while True:
        before = now()
        loop(ask, n, settle)
        passed = since(before)
        if passed.wall >= _PROBE:
            return {"seconds": passed.wall / n, "cpu": passed.cpu / n, "asks": n}
        n *= 2


def _time(options: argparse.Namespace, ask: Callable[[], Any]) -> dict[str, Any]:
    loop(ask, options.warm, int)
    gc.collect()
    usage = resource.getrusage(resource.RUSAGE_SELF)
    before = now()
    loop(ask, options.loops, int)
    passed = since(before)
    after = resource.getrusage(resource.RUSAGE_SELF)
    return {
        "loops": options.loops,
        "seconds": passed.wall,
        "cpu": passed.cpu,
        "wait": passed.wait,
        "voluntary": after.ru_nvcsw - usage.ru_nvcsw,
        "involuntary": after.ru_nivcsw - usage.ru_nivcsw,
        "faults": after.ru_minflt + after.ru_majflt - usage.ru_minflt - usage.ru_majflt,
        "peak_memory": after.ru_maxrss * 1024,
    }


def _trace(options: argparse.Namespace, ask: Callable[[], Any]) -> dict[str, Any]:
    from .traced import trace

    return {"trace": trace(ask, options.warm, COLLECTORS[options.collector])}


_MODES: Final = {"count": _count, "probe": _probe, "time": _time, "trace": _trace}


def process() -> dict[str, Any]:
    """Return what a count depends on in this process."""
    import ctypes

    return {
        "python": ".".join(map(str, sys.version_info[:3])),
        "flat": hasattr(ctypes.CDLL(None), "countci_flat"),
        "threads": len(list(Path("/proc/self/task").iterdir())),
    }


def _write(out: Path, found: dict[str, Any]) -> None:
    """Write it beside and rename: a file that is there is whole."""
    import json

    beside = out.with_name(f"{out.name}.{os.getpid()}")
    beside.write_text(json.dumps(found), encoding="utf-8")
    beside.replace(out)
