"""An event of GitHub to what it compares. Pure; what isn't known is an error, never a guess."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, TypeVar

import msgspec

from countci.errors import MeasureError, UsageError
from countci.github.wishes import Named, SinceBranch, TestMerge, Two, Wish

Sha = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{40}\Z")]
_NOTHING = "0" * 40
_ASKED = 'with:\n  base: "${{ inputs.base }}"  # a commit, branch or tag'


class _Commit(msgspec.Struct):
    sha: Sha


class _Branch(msgspec.Struct):
    ref: str


class _PullRequest(msgspec.Struct):
    head: _Commit
    base: _Branch
    commits: int = 1


class _Pulled(msgspec.Struct):
    number: int
    pull_request: _PullRequest


class _Group(msgspec.Struct):
    base_sha: Sha
    head_sha: Sha


class _Queued(msgspec.Struct):
    merge_group: _Group


class _Repository(msgspec.Struct):
    default_branch: str


class _Pushed(msgspec.Struct):
    ref: str
    before: Sha
    after: Sha
    repository: _Repository
    forced: bool = False
    commits: tuple[object, ...] = ()


def choose(event: str, payload: bytes, sha: str, *, base: str = "", head: str = "") -> Wish:
    """Return which two revisions `event` compares.

    Args:
        event: its name, GITHUB_EVENT_NAME.
        payload: its JSON, the content of GITHUB_EVENT_PATH.
        sha: the commit of the run, GITHUB_SHA.
        base: the action's input; empty is what the event says.
        head: likewise.

    Raises:
        UsageError: the event has nothing to compare, or nothing that may be measured.
        MeasureError: its payload and `sha` contradict each other.

    Source:
        GitHub's documentation, "Events that trigger workflows" and "Webhook events and payloads".
    """
    if event in _REFUSED:
        raise UsageError(_REFUSED[event], where=event, detail=_ON_PULL_REQUEST)
    if event not in _READERS:
        known = ", ".join(_READERS)
        raise UsageError(
            f"countci doesn't know what this event compares; it knows {known}", where=event
        )
    if head and not base:
        raise UsageError("head is named without a base", where="with: head", detail=_ASKED)
    if base:
        return Named(base=base, head=head or sha)
    return _READERS[event](event, payload, sha)


def _pull_request(event: str, payload: bytes, sha: str) -> Wish:
    found = _decode(event, payload, _Pulled)
    return TestMerge(
        number=found.number,
        sha=sha,
        head=found.pull_request.head.sha,
        branch=found.pull_request.base.ref,
        commits=found.pull_request.commits,
    )


def _merge_group(event: str, payload: bytes, sha: str) -> Wish:
    group = _decode(event, payload, _Queued).merge_group
    _agree(event, group.head_sha, sha)
    return Two(base=group.base_sha, head=group.head_sha)


def _push(event: str, payload: bytes, sha: str) -> Wish:
    found = _decode(event, payload, _Pushed)
    if found.after == _NOTHING:
        raise UsageError(
            f"{found.ref} was deleted: there is nothing to measure",
            where=event,
            detail="if: ${{ !github.event.deleted }}",
        )
    _agree(event, found.after, sha)
    if found.before != _NOTHING:
        known = len(found.commits) or None
        return Two(base=found.before, head=found.after, forced=found.forced, commits=known)
    branch = found.repository.default_branch
    if found.ref == f"refs/heads/{branch}":
        raise UsageError(
            f"the first push to {branch}: there is nothing to compare it with", where=event
        )
    return SinceBranch(head=found.after, branch=branch)


def _by_inputs(event: str, _payload: bytes, _sha: str) -> Wish:
    raise UsageError("this event names no base", where=event, detail=_ASKED)


def _agree(event: str, said: str, sha: str) -> None:
    if said != sha:
        raise MeasureError(f"the event is about {said[:12]}, the run about {sha[:12]}", where=event)


_Payload = TypeVar("_Payload", bound=msgspec.Struct)


def _decode(event: str, payload: bytes, kind: type[_Payload]) -> _Payload:
    try:
        return msgspec.json.decode(payload, type=kind)
    except msgspec.MsgspecError as error:
        raise MeasureError(f"its payload can't be read: {error}", where=event) from error


_ON_PULL_REQUEST = """measure on: pull_request, which has no secrets and a token that only reads
and comment from a second workflow: docs/github.md"""
_SECRETS = "it runs with the secrets of {}, beside which no foreign code may run"
_REFUSED = {
    "pull_request_target": _SECRETS.format("the base"),
    "workflow_run": _SECRETS.format("the default branch"),
}
_READERS: Mapping[str, Callable[[str, bytes, str], Wish]] = {
    "pull_request": _pull_request,
    "merge_group": _merge_group,
    "push": _push,
    "schedule": _by_inputs,
    "workflow_dispatch": _by_inputs,
}
