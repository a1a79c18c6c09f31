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


def _data(text: str) -> str:
    escaped = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return escaped.replace("##[", "## [")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
