"""A small Python project in a repository of its own, for the kinds `python` and `pytest`."""

from __future__ import annotations

from pathlib import Path

from tests.real.bank import Repository


def ledger(folder: Path, **files: str) -> Repository:
    """Return a new repository below `folder` whose one commit holds `files`."""
    made = Repository(top=folder / "ledger", cache=folder / "cache")
    made.top.mkdir(parents=True)
    made.git("init", "-q", "-b", "main")
    made.git("config", "user.email", "ledger@example.invalid")
    made.git("config", "user.name", "Ledger")
    made.commit("First", README_dot_md="a ledger\n", **files)
    made.git("tag", "first")
    return made
