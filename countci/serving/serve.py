"""One server, or several, from start to end."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from countci import process
from countci.errors import MeasureError
from countci.model import Ready
from countci.process import Background, Command, Member
from countci.serving.ports import HOST, answers
from countci.serving.ready import tail, wait_until_ready
from countci.units import Seconds, show_seconds

_MARK = "COUNTCI_SERVER"


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """What is started, and when it is ready."""

    commands: tuple[Command, ...]
    """Started in this order, each once the one before it runs; placeholders filled in."""
    ready: Ready
    """Of the last one."""
    within: Seconds
    """How long it may take to be ready."""
    grace: Seconds
    """How long it may take to end after SIGTERM."""
    name: str
    """Of the query: marks its processes, so that none is taken for another's."""
    folder: Path
    """Takes the output of each, `server0`, `server1`, ..., that has no file of its own."""
    cpus: tuple[int, ...] = ()
    """Processors that they may use; all when empty."""


@dataclass(kw_only=True)
class Started:
    """Servers that run. Made by `serve`."""

    servers: tuple[Background, ...] = ()
    cpus: tuple[int, ...] = ()
    """The processors that they are bound to; none: they run anywhere."""
    remarks: list[str] = field(default_factory=list)
    """How they ended, where that was not as it should be."""

    def members(self) -> tuple[Member, ...]:
        """Return all their processes."""
        return tuple(each for server in self.servers for each in server.members())

    def check(self) -> None:
        """Raise a MeasureError if one of them no longer runs."""
        for server in self.servers:
            if (status := server.status) is not None:
                how = f"signal {-status}" if status < 0 else f"exit status {status}"
                raise MeasureError(
                    f"the server ended under load, {how}",
                    where=server.command.line,
                    detail=tail(server) or "it wrote nothing",
                )


@contextlib.contextmanager
def serve(serving: Serving) -> Iterator[Started]:
    """Have the servers run and ready while the block lasts; then nothing of them is left.

    Raises:
        MeasureError: its port is taken, it can't be started, ends too early, isn't ready in
            time, or left processes that outlived it.
    """
    _check_port(serving.ready)
    found = Started(cpus=serving.cpus)
    with contextlib.ExitStack() as stack:
        for number, command in enumerate(serving.commands):
            output = command.stdout or serving.folder / f"server{number}"
            server = stack.enter_context(
                process.background(
                    replace(command, stdout=output, stderr=output),
                    grace=serving.grace,
                    mark=(_MARK, f"{serving.name}/{number}"),
                    cpus=serving.cpus,
                )
            )
            found.servers = (*found.servers, server)
        wait_until_ready(found.servers[-1], serving.ready, within=serving.within)
        yield found
        _stop(found.servers, serving.grace, found.remarks)


def _check_port(ready: Ready) -> None:
    if ready.tcp and answers(HOST, int(ready.tcp)):
        raise MeasureError(
            f"port {ready.tcp} is in use before the server has started",
            detail="write {port} for one that is free, in `start` and `ready`",
        )


def _stop(servers: Collection[Background], grace: Seconds, remarks: list[str]) -> None:
    for server in reversed(tuple(servers)):
        server.stop(grace)
        if server.killed:
            remarks.append(
                f"{server.command.line} did not end within {show_seconds(grace)} after SIGTERM, "
                "and was killed"
            )
        if server.left:
            raise MeasureError(
                f"it left processes running when it ended: {', '.join(server.left)}",
                where=server.command.line,
                detail="they are ended now; a server must end its children, or wait for them",
            )
