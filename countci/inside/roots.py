"""What pytest's arguments ask for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def is_asked(path: Path, config: pytest.Config) -> bool:
    """Return whether a path is one of the arguments, below one, or on the way to one.

    By its name alone: to look at a file is to read it, and a README is no part of a suite.
    """
    if getattr(config.option, "pyargs", False):  # names of modules, which lie anywhere
        return True
    start = config.invocation_params.dir
    for argument in config.args:
        asked = Path(os.path.abspath(start / argument.partition("::")[0]))  # noqa: PTH100
        if path == asked or asked in path.parents or path in asked.parents:
            return True
    return False
