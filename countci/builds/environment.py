"""What a build sees of the user's environment: an allow-list."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from countci.builds.places import Places
from countci.errors import UsageError

SOURCE_DATE_EPOCH = 1_000_000_000
"""The time stamp of every tracked file of a check-out says the same."""

_CERTIFICATES = (
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE"),
    *("PIP_CERT", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"),
)
_TOOL_HOMES = {"CARGO_HOME": ".cargo", "RUSTUP_HOME": ".rustup", "PYENV_ROOT": ".pyenv"}
_SECRET = re.compile(
    r"TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|KEY|(^|_)(PAT|AUTH|PASS)(_|$)|_PWD(_|$)",
    re.IGNORECASE,
)
"""PATH, AUTHOR and PWD are no secrets."""
_PASSWORD_IN = re.compile(r"://[^/@\s]*:[^/@\s]+@")
_OF_THE_RUN = ("GITHUB_", "ACTIONS_", "RUNNER_")


def environment(
    user: Mapping[str, str], places: Places, passed: Sequence[str] = ()
) -> dict[str, str]:
    """Return the whole environment of builds.

    CFLAGS and the like only reach a build when they are passed: a Python build that sees
    CFLAGS loses the interpreter's own flags.

    Args:
        user: the environment of countci itself.
        places: prepared ones.
        passed: names beyond the allow-list, `pass-env` of the configuration.

    Raises:
        UsageError: a passed name looks like a secret's or is one of a CI's run, or its value
            has a password in it.
    """
    for name in passed:
        _refuse(name, user.get(name, ""))
    kept = ("PATH", *_CERTIFICATES, *passed)
    return {
        "PATH": os.defpath,
        **_tool_homes(user),
        **{name: user[name] for name in kept if name in user},
        "HOME": str(places.home),
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "SOURCE_DATE_EPOCH": str(SOURCE_DATE_EPOCH),
        "TMPDIR": str(places.temporary),
    }


def _tool_homes(user: Mapping[str, str]) -> dict[str, str]:
    # By default they lie in HOME, which is an empty folder for builds.
    found = {}
    for name, folder in _TOOL_HOMES.items():
        default = Path(user["HOME"], folder) if user.get("HOME") else None
        if user.get(name):
            found[name] = user[name]
        elif default is not None and default.is_dir():
            found[name] = str(default)
    return found


def _refuse(name: str, value: str) -> None:
    if _PASSWORD_IN.search(value):
        raise UsageError(
            "its value has a password in it, and builds get none",
            where=f"pass-env: {name}",
            detail="fetch what needs it before countci runs",
        )
    if _SECRET.search(name):
        raise UsageError(
            "looks like the name of a secret, and builds get none",
            where=f"pass-env: {name}",
            detail="fetch what needs it before countci runs",
        )
    if name == "CI" or name.startswith(_OF_THE_RUN):
        raise UsageError(
            "differs from run to run, so equal builds would not be equal",
            where=f"pass-env: {name}",
            detail=f"write a fixed value into the build command: env {name}=...",
        )
