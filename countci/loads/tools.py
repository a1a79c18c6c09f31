"""Closed loops that other programs send, and how their output is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from countci import process
from countci.errors import MeasureError
from countci.loads.client import length
from countci.loads.result import Found
from countci.model.servers import Load
from countci.process import Command
from countci.readers import READERS, chosen
from countci.units import Seconds

_PACKAGES = {"ab": "apache2-utils", "h2load": "nghttp2-client", "wrk": "wrk"}
_GRACE = 15.0
_MANY = 100_000_000
"""Requests that ab never reaches in time; it stops at 50,000 else."""


def send(load: Load, env: Mapping[str, str], folder: Path) -> Found:
    """Return what `load.tool` says of the load; its latencies are not taken.

    Args:
        load: a closed loop, placeholders filled in.
        env: the whole environment, in which the program is looked for.
        folder: its working directory.

    Raises:
        MeasureError: it isn't there, fails, takes too long, or tells of failed requests.
    """
    out = folder / "load.out"
    command = Command(
        argv=_LINES[load.tool](load),
        env=env,
        cwd=folder,
        stdout=out,
        stderr=folder / "load.err",
        timeout=Seconds(length(load) + _GRACE),
    )
    if process.which(load.tool, env, folder) is None:
        raise MeasureError(
            f"there is no {load.tool}", detail=f"apt-get install {_PACKAGES[load.tool]}"
        )
    spent = process.timed(command)
    said = out.read_text(errors="replace")
    errors = (folder / "load.err").read_text(errors="replace")
    process.raise_for_status(spent.status, command, errors or said)
    rate = chosen(READERS[load.tool], said, ("rate",))["rate"]
    done = load.requests or round(rate * load.seconds)
    return Found(
        sent=done,
        answered=done,
        wall=spent.wall,
        cpu=spent.user + spent.system,
        rate=rate,
        connections=load.concurrency,
    )


def _ab(load: Load) -> tuple[str, ...]:
    bound = (
        ("-n", str(load.requests))
        if load.requests
        else ("-t", f"{max(1, round(load.seconds))}", "-n", str(_MANY))
    )
    # -r: a reset connection is counted as a failed request instead of ending everything.
    return ("ab", "-q", "-S", "-d", "-r", "-k", *bound, "-c", str(load.concurrency), load.url)


def _h2load(load: Load) -> tuple[str, ...]:
    bound = ("-n", str(load.requests)) if load.requests else ("-D", f"{load.seconds:g}")
    return ("h2load", "--h1", "-t", "1", *bound, "-c", str(load.concurrency), load.url)


def _wrk(load: Load) -> tuple[str, ...]:
    seconds = max(1, round(load.seconds))
    return ("wrk", "-t", "1", "-d", f"{seconds}s", "-c", str(load.concurrency), load.url)


_LINES: Mapping[str, Callable[[Load], tuple[str, ...]]] = {
    "ab": _ab,
    "h2load": _h2load,
    "wrk": _wrk,
}
