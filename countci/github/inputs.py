"""What the action's inputs ask `countci compare` for. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from countci.errors import UsageError

_TRUE = {"true": True, "false": False, "": False}
_ONE = {
    "COUNTCI_CONFIG": "--config",
    "COUNTCI_JOBS": "--jobs",
    "COUNTCI_MAX_TIME": "--max-time",
    "COUNTCI_SHARD": "--shard",
    "COUNTCI_QUERIES_FROM": "--queries-from",
    "COUNTCI_CACHE_DIR": "--cache-dir",
}
_MANY = {"COUNTCI_QUERY": "--query", "COUNTCI_LIMIT": "--limit"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """The inputs, as the action hands them on by its environment: text, never a command."""

    base: str
    """Empty: what the event says."""
    head: str
    words: tuple[str, ...]
    """Options of `countci compare`, without revisions and files."""
    shard: str
    """Empty, or which part of the queries: `2/4`."""
    name: str
    """Of the artifact: letters, digits, `-`; of one shard with its number."""

    @classmethod
    def read(cls, env: Mapping[str, str]) -> Inputs:
        """Return the inputs that are in an environment.

        Raises:
            UsageError: one says something impossible.
        """
        shard = env.get("COUNTCI_SHARD", "").strip()
        words = [
            f"{option}={text}"
            for name, option in _ONE.items()
            if (text := env.get(name, "").strip())
        ]
        words += [
            f"{option}={text}"
            for name, option in _MANY.items()
            for line in env.get(name, "").splitlines()
            if (text := line.strip())
        ]
        if not _flag(env, "COUNTCI_TIME", default="true"):
            words.append("--no-time")
        return cls(
            base=env.get("COUNTCI_BASE", "").strip(),
            head=env.get("COUNTCI_HEAD", "").strip(),
            words=tuple(words),
            shard=shard,
            name=_name(env.get("COUNTCI_NAME", "").strip() or "countci", shard),
        )


def _flag(env: Mapping[str, str], name: str, *, default: str) -> bool:
    text = env.get(name, "") or default
    if text not in _TRUE:
        raise UsageError(f"{text!r} is neither true nor false", where=_input(name))
    return _TRUE[text]


def _name(name: str, shard: str) -> str:
    if not name.replace("-", "a").isalnum() or not name.isascii():
        raise UsageError(
            f"{name!r} is more than letters, digits and -", where=_input("COUNTCI_NAME")
        )
    number, _, of = shard.partition("/")
    return f"{name}-{number}-of-{of}" if number.isdigit() and of.isdigit() else name


def _input(variable: str) -> str:
    return f"with: {variable.removeprefix('COUNTCI_').lower().replace('_', '-')}"
