"""Workflow commands: lines of a log that GitHub's runner obeys. Ours escaped, others' broken up."""

from __future__ import annotations

import re
from collections.abc import Mapping

_COMMAND = re.compile(r"((?:\A|(?<=[\r\n]))\s*:)(?=:)|(##)(?=\[)")


def command(name: str, data: str, properties: Mapping[str, str | int] | None = None) -> str:
    """Return the line `::name key=value::data`, whatever is in the values.

    Empty properties are left out, since an empty `line` would drop the others.

    Source:
        actions/runner, ActionCommand.cs: escapes; percent signs first.
    """
    kept = {key: value for key, value in (properties or {}).items() if value not in ("", 0)}
    said = ",".join(f"{key}={_property(str(value))}" for key, value in kept.items())
    return f"::{name}{' ' + said if said else ''}::{_data(data)}\n"


def defused(text: str) -> str:
    """Return `text` with a blank inside of whatever the runner would take for a command.

    That is `::` at the start of a line, blanks before it or not, and `##[` anywhere in it.
    Each blank stands right before the last character that makes it a command, so that a
    text may be defused piece by piece.
    """
    return _COMMAND.sub(lambda found: f"{found[0]} ", text)


def stopped(text: str, token: str) -> str:
    """Return `text` between lines that make the runner obey nothing in it.

    Args:
        text: foreign output, whole lines.
        token: random, fresh for each use and never shown: whoever knows it can end the stop.

    Raises:
        ValueError: the token is one that could be guessed, or stands in the text.
    """
    if not re.fullmatch(r"[0-9a-f]{32,}", token) or token in text:
        raise ValueError("the token must be random hex digits that the text doesn't hold")
    end = "" if text.endswith("\n") or not text else "\n"
    return f"::stop-commands::{token}\n{text}{end}::{token}::\n"


def _data(text: str) -> str:
    escaped = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return escaped.replace("##[", "## [")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
