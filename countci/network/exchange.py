"""One request sent, and its answer read: with a time limit, a size limit and no redirect."""

from __future__ import annotations

import errno
import http.client
import os
import socket
import ssl
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from typing import Any

from countci.network.address import origin, shown
from countci.network.failures import NetworkError, Uncertain
from countci.network.messages import Answer, Request
from countci.units import Seconds

_BIGGEST = 32 * 2**20
"""Bytes of an answer: a hundred comments of 65,536 characters are less."""
_PIECE = 2**16
_NEVER_ARRIVED = (ConnectionRefusedError, socket.gaierror, ssl.SSLCertVerificationError)


class _Stay(urllib.request.HTTPRedirectHandler):
    """Leaves redirects to whoever knows where the headers may go."""

    def redirect_request(self, *_: object, **__: object) -> None:
        """Follow none."""


def exchange(
    request: Request,
    headers: Mapping[str, str],
    *,
    proxy: str,
    limit: Seconds,
    late: Callable[[], bool],
) -> Answer:
    """Return the answer to `request`, whatever its status.

    Args:
        request: what is asked.
        headers: sent along; they may hold a secret.
        proxy: asked instead of the server, unless that is on this machine; may be empty.
        limit: for connecting, and for each piece of the answer.
        late: whether the time for all of it is over.

    Raises:
        Uncertain: it may have arrived, but there is no answer, or not the whole of it.
        NetworkError: it can't have arrived.
        UsageError: the address is none to send a secret to.
    """
    scheme, *_ = origin(request.url)
    proxies = {"https": proxy} if proxy and scheme == "https" else {}
    opener = urllib.request.build_opener(urllib.request.ProxyHandler(proxies), _Stay())
    sent = urllib.request.Request(  # noqa: S310 - `origin` lets only https and loopback through
        request.url, data=request.body or None, headers=dict(headers), method=request.method
    )
    try:
        with _open(opener, sent, limit) as found:
            named = {name.lower(): text for name, text in found.headers.items()}
            body = _read(found, named.get("content-length", ""), late)
            return Answer(status=found.status, headers=named, body=body)
    except (OSError, http.client.HTTPException, ValueError) as error:
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        kind = NetworkError if isinstance(reason, _NEVER_ARRIVED) else Uncertain
        where = f"{request.method} {shown(request.url)}"
        # Not `from error`: what urllib says may hold headers.
        raise kind(f"no answer: {_why(reason)}", where=where) from None


def _open(
    opener: urllib.request.OpenerDirector, sent: urllib.request.Request, limit: Seconds
) -> Any:  # noqa: ANN401 - typeshed gives none of the three classes that it may be
    try:
        return opener.open(sent, timeout=limit)
    except urllib.error.HTTPError as answer:
        return answer


def _read(found: Any, length: str, late: Callable[[], bool]) -> bytes:  # noqa: ANN401 - as above
    """Return the whole body; by what is there already, since a limit of each would add up."""
    body = bytearray()
    while piece := found.read1(_PIECE):
        body += piece
        if late():
            raise TimeoutError
        if len(body) > _BIGGEST:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    if length.isdecimal() and int(length) != len(body):
        raise http.client.IncompleteRead(b"", int(length))
    return bytes(body)


def _why(reason: object) -> str:
    """Return the kind of failure in words of ours, or of the operating system."""
    if isinstance(reason, TimeoutError):
        return "timed out"
    if isinstance(reason, OSError) and reason.strerror:
        return reason.strerror
    return type(reason).__name__
