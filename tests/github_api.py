"""A stand-in on this machine for the few parts of GitHub's REST API that a comment needs.

Source: octokit/webhooks and GitHub's documentation for shapes; what issues of other tools quote
for messages of errors.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, Self
from urllib.parse import parse_qsl, urlsplit

BOT = {"login": "github-actions[bot]", "id": 41898282, "type": "Bot"}
MONA = {"login": "mona", "id": 1, "type": "User"}
PULL: dict[str, Any] = {
    "number": 7,
    "state": "open",
    "head": {"sha": "a" * 40, "ref": "faster", "label": "ada:faster", "repo": {"id": 4200}},
    "base": {"ref": "main", "sha": "b" * 40},
}
_HERE = "/repos/savings/bank"
_LONGEST = 65536


@dataclass(frozen=True)
class Canned:
    """An answer that is given once instead of the real one."""

    status: int
    body: object
    headers: Mapping[str, str] = field(default_factory=dict)
    how: Literal["instead", "done", "lost", "dead", "silent"] = "instead"
    """`done`: the request is done all the same; `lost`: likewise, and the line goes dead;
    `dead`: it is not done; `silent`: likewise, and the line stays open."""


def _said(status: int, message: str, **more: object) -> Canned:
    return Canned(status, {"message": message, "status": str(status), **more})


READ_ONLY = _said(403, "Resource not accessible by integration")
LOCKED = _said(403, "Unable to create comment because issue is locked.")
BAD_CREDENTIALS = _said(401, "Bad credentials")
NOT_FOUND = _said(404, "Not Found")
GONE = _said(410, "This issue was deleted")
TOO_LONG = _said(
    422,
    "Validation Failed",
    errors=[{"field": "body", "message": "body is too long (maximum is 65536 characters)"}],
)
PRIMARY = Canned(
    403,
    {"message": "API rate limit exceeded for installation."},
    {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "4102444800"},
)
SECONDARY = _said(403, "You have exceeded a secondary rate limit. Please wait a few minutes.")
SECONDARY_TOLD = Canned(429, SECONDARY.body, {"retry-after": "7"})
BAD_GATEWAY = Canned(502, "<html><h1>502 Bad Gateway</h1></html>", {"content-type": "text/html"})
MADE_THEN_BAD_GATEWAY = Canned(502, BAD_GATEWAY.body, BAD_GATEWAY.headers, how="done")
MADE_THEN_LOST = Canned(0, None, how="lost")
LOST = Canned(0, None, how="dead")
SILENT = Canned(0, None, how="silent")


class GitHub:
    """The server and what it holds; `with GitHub() as api` starts and ends it."""

    def __init__(self, comments: int = 0, *, pulls: tuple[dict[str, Any], ...] = (PULL,)) -> None:
        """Hold so many comments of a person."""
        self.comments: dict[int, dict[str, Any]] = {}
        self.pulls = list(pulls)
        self.script: list[tuple[str, Canned]] = []
        """Method, and the answer to the next request of it."""
        self.log: list[str] = []
        """Method and path of each request."""
        self.tokens: set[str] = set()
        self.url = ""
        self.ended = threading.Event()
        for number in range(comments):
            self.add(f"talk {number}", MONA)

    def add(self, body: str, user: Mapping[str, object] = BOT) -> int:
        """Add a comment, and return its number."""
        number = len(self.comments) + 1
        self.comments[number] = {
            "id": number,
            "body": body,
            "user": user,
            "html_url": f"https://github.com/savings/bank/pull/7#issuecomment-{number}",
        }
        return number

    @property
    def bodies(self) -> list[str]:
        """Bodies of what the bot said."""
        return [each["body"] for each in self.comments.values() if each["user"] == BOT]

    def script_once(self, method: str, *answers: Canned) -> None:
        """Give these answers to the next requests of a method, in this order."""
        self.script += [(method, answer) for answer in answers]

    def __enter__(self) -> Self:
        """Start it."""
        handler = type("Handler", (_Handler,), {"hub": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        """End it."""
        self.ended.set()
        self._server.shutdown()
        self._server.server_close()

    def canned(self, method: str) -> Canned | None:
        """Return the next answer of the script, and forget it."""
        for number, (for_method, _) in enumerate(self.script):
            if for_method == method:
                return self.script.pop(number)[1]
        return None

    def answer(self, method: str, path: str, query: Mapping[str, str], sent: Any) -> Canned:  # noqa: ANN401
        """Return what GitHub would answer."""
        path = path.replace("/repositories/4100/", f"{_HERE}/", 1)
        found = re.fullmatch(rf"{_HERE}/issues/comments/(\d+)", path)
        doors: dict[tuple[str, str], Callable[[], Canned]] = {
            ("GET", f"{_HERE}/issues/7/comments"): lambda: self._list(query),
            ("POST", f"{_HERE}/issues/7/comments"): lambda: self._create(sent["body"]),
            ("GET", f"{_HERE}/pulls"): lambda: Canned(200, self._pulls(query)),
        }
        if method == "PATCH" and found:
            return self._edit(int(found[1]), sent["body"])
        return doors.get((method, path), lambda: NOT_FOUND)()

    def _list(self, query: Mapping[str, str]) -> Canned:
        size, page = min(int(query.get("per_page", 30)), 100), int(query.get("page", 1))
        every = list(self.comments.values())
        last = max(1, -(-len(every) // size))
        others = {"prev": page - 1, "first": 1} if page > 1 else {}
        others |= {"next": page + 1, "last": last} if page < last else {}
        where = f"{self.url}/repositories/4100/issues/7/comments?per_page={size}&page="
        links = ", ".join(f'<{where}{number}>; rel="{name}"' for name, number in others.items())
        part = every[(page - 1) * size : page * size]
        return Canned(200, part, {"link": links} if links else {})

    def _create(self, body: str) -> Canned:
        if len(body) > _LONGEST:
            return TOO_LONG
        return Canned(201, self.comments[self.add(body)])

    def _edit(self, number: int, body: str) -> Canned:
        if number not in self.comments:
            return NOT_FOUND
        if len(body) > _LONGEST:
            return TOO_LONG
        self.comments[number]["body"] = body
        return Canned(200, self.comments[number])

    def _pulls(self, query: Mapping[str, str]) -> list[dict[str, Any]]:
        return [
            pull
            for pull in self.pulls
            if query.get("head") in (None, pull["head"]["label"])
            and query.get("state", "open") == pull["state"]
        ]


class _Handler(BaseHTTPRequestHandler):
    hub: GitHub

    def log_message(self, format: str, *_: object) -> None:  # noqa: A002 - its own name
        """Keep quiet."""

    def _any(self) -> None:
        where = urlsplit(self.path)
        length = int(self.headers.get("content-length") or 0)
        sent = json.loads(self.rfile.read(length) or b"null")
        self.hub.log.append(f"{self.command} {self.path}")
        self.hub.tokens.add(self.headers.get("authorization", ""))
        canned = self.hub.canned(self.command)
        done = canned
        if canned is None or canned.how in ("done", "lost"):
            done = self.hub.answer(self.command, where.path, dict(parse_qsl(where.query)), sent)
        if not self.headers.get("authorization", "").startswith("Bearer "):
            canned = BAD_CREDENTIALS
        shown = canned or done
        if shown is not None and shown.how == "silent":
            self.hub.ended.wait()
        elif shown is not None and shown.how not in ("lost", "dead"):
            self._send(shown)

    def _send(self, answer: Canned) -> None:
        text = answer.body if isinstance(answer.body, str) else json.dumps(answer.body)
        self.send_response(answer.status)
        named = {"content-type": "application/json", "content-length": str(len(text.encode()))}
        for name, value in {**named, **answer.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text.encode())

    do_GET = do_POST = do_PATCH = _any  # noqa: N815 - the names that the server looks for
