"""What GitHub's runner gives a step, by its environment."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from countci.errors import UsageError


def payload(env: Mapping[str, str]) -> bytes:
    """Return the JSON of the event that started the run.

    Raises:
        UsageError: this is no step, or the file is gone.
    """
    path = variable(env, "GITHUB_EVENT_PATH")
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise UsageError(f"can't be read: {error.strerror}", where=path) from error


def variable(env: Mapping[str, str], name: str) -> str:
    """Return a variable of a step.

    Raises:
        UsageError: it isn't set, or is empty: this is no step.
    """
    if not env.get(name):
        raise UsageError(
            "is not set: this command is for a step of GitHub Actions",
            where=name,
            detail="elsewhere, name the revisions: countci compare BASE HEAD",
        )
    return env[name]
