"""Addresses of servers that a token may be sent to."""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit

from countci.errors import UsageError

_PORTS = {"https": 443, "http": 80}
_LOOPBACK = ("127.0.0.1", "::1", "localhost")


def origin(url: str) -> tuple[str, str, int]:
    """Return scheme, host and port of an address.

    Raises:
        UsageError: it isn't HTTPS beyond this machine, or names a user or no host.
    """
    parts, port = _split(url)
    host = parts.hostname
    if not host or parts.username is not None or parts.password is not None:
        raise UsageError("is no address of a server", where=_shown(parts))
    if parts.scheme != "https" and not (parts.scheme == "http" and host in _LOOPBACK):
        raise UsageError("is not https: a token could be read on its way", where=_shown(parts))
    return parts.scheme, host, port or _PORTS[parts.scheme]


def shown(url: str) -> str:
    """Return an address for a message, without its query and whatever else may be secret."""
    parts, _ = _split(url)
    return _shown(parts)


def _split(url: str) -> tuple[SplitResult, int | None]:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise UsageError("is no address of a server", where="a URL") from error
    return parts, port


def _shown(parts: SplitResult) -> str:
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
