"""Small servers that misbehave, as commands."""

from __future__ import annotations

import sys
from pathlib import Path

from countci.model import Ready
from countci.process import Command
from countci.serving import Serving
from countci.units import Seconds
from tests.ports import free_port

_LISTEN = (
    "import os, signal, socket, subprocess, sys, time\n"
    "listener = socket.create_server(('127.0.0.1', PORT))\n"
)
_FOREVER = "while True: listener.accept()[0].close()\n"


def command(script: str, port: int, folder: Path, *, listens: bool = True) -> Command:
    """Return a Python server that runs `script`; PORT is its port."""
    text = (_LISTEN if listens else "import os, sys, time\n") + script
    argv = (sys.executable, "-S", "-u", "-c", text.replace("PORT", str(port)))
    return Command(argv=argv, env={"PATH": "/usr/bin:/bin"}, cwd=folder)


def serving(
    script: str, folder: Path, *, ready: Ready | None = None, listens: bool = True, grace: float = 5
) -> Serving:
    """Return that server, ready once its port accepts a connection."""
    port = free_port(folder.name)
    return Serving(
        commands=(
            command(script + _FOREVER if listens else script, port, folder, listens=listens),
        ),
        ready=ready or Ready(tcp=str(port)),
        within=Seconds(10.0),
        grace=Seconds(grace),
        name=folder.name,
        folder=folder,
    )


def alive(pid: int) -> bool:
    """Whether a process still runs."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return text.rpartition(")")[2].split()[0] != "Z"
