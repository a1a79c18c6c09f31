"""The few parts of GitHub's REST API that a comment needs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeVar
from urllib.parse import quote, urlencode

import msgspec

from countci.errors import MeasureError, UsageError
from countci.github.pulls import Pull
from countci.github.refusals import refusal
from countci.github.sticky import Comment
from countci.network import Answer, Client, Request

_MOST_PAGES = 100
"""Ten thousand comments."""
_NEXT = re.compile(r'<([^<>]*)>\s*;\s*rel="?next"?')
_REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+", re.ASCII)

_Item = TypeVar("_Item")


class _User(msgspec.Struct):
    login: str
    type: str = "User"


class _Comment(msgspec.Struct):
    id: int
    body: str | None = None
    user: _User | None = None


class _Repo(msgspec.Struct):
    id: int


class _Head(msgspec.Struct):
    sha: str
    ref: str
    repo: _Repo | None = None


class _Base(msgspec.Struct):
    ref: str


class _Pull(msgspec.Struct):
    number: int
    head: _Head
    base: _Base


class Rest:
    """One repository's pull requests and their comments."""

    def __init__(self, client: Client, url: str, repository: str) -> None:
        """Speak of `repository`, OWNER/NAME, by the API at `url`.

        Raises:
            UsageError: that is no name of a repository.
        """
        if not _REPOSITORY.fullmatch(repository):
            raise UsageError("is not OWNER/NAME", where=f"repository {repository!r}")
        self._client = client
        self._top = f"{url.rstrip('/')}/repos/{repository}"

    def pulls(self, owner: str, branch: str) -> Iterator[Pull]:
        """Yield the open pull requests from that branch of that owner's repositories."""
        query = urlencode({"state": "open", "head": f"{owner}:{branch}", "per_page": 100})
        for each in self._pages(f"{self._top}/pulls?{query}", _Pull):
            yield Pull(
                number=each.number,
                sha=each.head.sha,
                branch=each.head.ref,
                source=each.head.repo.id if each.head.repo else None,
                base=each.base.ref,
            )

    def comments(self, number: int) -> Iterator[Comment]:
        """Yield the comments on a pull request, oldest first; asked for page by page."""
        for each in self._pages(f"{self._issue(number)}?per_page=100", _Comment):
            user = each.user or _User(login="")
            yield Comment(id=each.id, body=each.body or "", login=user.login, kind=user.type)

    def create(self, number: int, body: str) -> None:
        """Add a comment to a pull request; Uncertain is raised where it may have been added."""
        self._send(Request(method="POST", url=self._issue(number), body=_said(body)))

    def edit(self, comment: int, body: str) -> None:
        """Give a comment another body."""
        url = f"{self._top}/issues/comments/{comment}"
        self._send(Request(method="PATCH", url=url, body=_said(body)))

    def _issue(self, number: int) -> str:
        return f"{self._top}/issues/{quote(str(number))}/comments"

    def _pages(self, url: str, kind: type[_Item]) -> Iterator[_Item]:
        """Yield what is on all pages; each names the address of the next one."""
        for _ in range(_MOST_PAGES):
            answer = self._send(Request(method="GET", url=url))
            yield from _decoded(answer, list[kind])  # type: ignore[valid-type]  # made at run time
            found = _NEXT.search(answer.headers.get("link", ""))
            if found is None:
                return
            url = found[1]
        raise MeasureError(f"more than {_MOST_PAGES} pages", where="GitHub")

    def _send(self, request: Request) -> Answer:
        answer = self._client.send(request)
        if answer.status not in (200, 201):
            raise refusal(request, answer)
        return answer


def _decoded(answer: Answer, kind: type[_Item]) -> _Item:
    try:
        return msgspec.json.decode(answer.body, type=kind)
    except msgspec.MsgspecError as error:
        raise MeasureError(f"answers what can't be read: {error}", where="GitHub") from error


def _said(body: str) -> bytes:
    return msgspec.json.encode({"body": body})
