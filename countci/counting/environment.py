"""What a query's process may see of the user's environment: next to nothing."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

_FIXED = {
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    # Sets of strings are walked in an order that a random seed would decide anew each time.
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    # A pool of threads that wait for each other spins as long as it happens to wait.
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "NUMEXPR_NUM_THREADS": "1",
}


def environment(user: Mapping[str, str], *, home: Path) -> dict[str, str]:
    """Return the whole environment of a query's processes, the same for both sides.

    One more variable moves a count by hundreds of instructions, and may be a secret.
    `TMPDIR` is set run by run.

    Args:
        user: the user's environment; only its PATH is taken.
        home: an empty folder.
    """
    return {"PATH": user.get("PATH", os.defpath), "HOME": str(home), **_FIXED}


def with_scratch(env: Mapping[str, str], folder: Path) -> dict[str, str]:
    """Return `env` with `folder` for temporary files, unless the query names another one.

    Folders of equal length are the caller's to choose: counts depend on every byte.
    """
    return {"TMPDIR": str(folder), **env}
