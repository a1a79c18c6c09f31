"""What git itself gets to see of the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping

_KEPT = {
    "GIT_EXEC_PATH",
    "GIT_CEILING_DIRECTORIES",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
}
"""The rest of GIT_* is dropped: inside a hook it points git at another folder, index or store."""

_ALWAYS = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",  # a check-out has no refs/replace: both must mean the same
    "LC_ALL": "C",  # git's messages are read
    "LANGUAGE": "C",
}


def of_user(env: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of git in the user's own repository: HOME and settings are theirs."""
    kept = {name: text for name, text in env.items() if not name.startswith("GIT_")}
    return kept | {name: env[name] for name in _KEPT & env.keys()} | _ALWAYS


def of_countci(env: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of git in countci's own folders: the same files for everybody.

    No setting of a user or machine is read, so no filter, hook, line-end rule, ignore file
    or template of theirs takes part.
    """
    nothing = {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "HOME": os.devnull,  # git before 2.32 doesn't know GIT_CONFIG_GLOBAL
        "XDG_CONFIG_HOME": os.devnull,
        "GIT_OPTIONAL_LOCKS": "1",
    }
    return of_user(env) | nothing
