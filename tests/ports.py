"""Ports for servers of tests, no two tests' the same, also where they run side by side."""

from __future__ import annotations

import atexit
import contextlib

from countci.serving import ports

_held = contextlib.ExitStack()
_ports = _held.enter_context(ports())
atexit.register(_held.close)


def free_port(name: str) -> int:
    """Return the port of `name`, which stays this process's to its end."""
    return _ports.of(name)
