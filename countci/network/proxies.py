"""Which proxy a server is asked through, as the environment says it. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from countci.network.address import origin


def proxy_of(env: Mapping[str, str], server: str) -> str:
    """Return HTTPS_PROXY, or nothing where NO_PROXY has the server; small letters go first.

    NO_PROXY lists hosts, each with all below it, between commas or blanks: `example.com`,
    `.example.com`, `*.example.com`, `example.com:8443`, or `*` for all.

    Raises:
        UsageError: that is no address of a server.

    Source:
        curl's manual, "Environment".
    """
    _, host, port = origin(server)
    direct = env.get("no_proxy") or env.get("NO_PROXY", "")
    if any(_covers(entry, host, port) for entry in direct.replace(",", " ").split()):
        return ""
    return env.get("https_proxy") or env.get("HTTPS_PROXY", "")


def _covers(entry: str, host: str, port: int) -> bool:
    if entry == "*":
        return True
    name, colon, number = entry.lower().rpartition(":")
    if colon and number.isdigit() and name.count(":") == 0:
        if int(number) != port:
            return False
    else:
        name = entry.lower()
    name = name.strip("[]").removeprefix("*").strip(".")
    return bool(name) and (host == name or host.endswith(f".{name}"))
