"""An event of GitHub to the pull request whose comment it may write. Pure.

Nothing here comes from an artifact, which a stranger can fill: only from events, that is from
GitHub itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from countci.errors import MeasureError, UsageError
from countci.github.events import Sha

_CONCLUDED = ("success", "failure")


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """A run that measured a pull request."""

    owner: str
    """Of the repository that the pull request comes from."""
    branch: str
    sha: str
    """Its last commit when the run began."""
    source: int
    """Number of the repository that it comes from."""
    number: int | None
    """Of the pull request; None where the event doesn't say, as of those from forks."""
    run: int
    attempt: int
    fork: bool
    """It comes from another repository, whose owner controls all that the run says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Skip:
    """Nothing is to be commented on, and why."""

    why: str


class _Owner(msgspec.Struct):
    login: str


class _Repository(msgspec.Struct):
    id: int
    owner: _Owner


class _Run(msgspec.Struct):
    id: int
    run_attempt: int
    event: str
    conclusion: str | None
    head_branch: str | None
    head_sha: Sha
    head_repository: _Repository | None


class _Completed(msgspec.Struct):
    repository: _Repository
    workflow_run: _Run


class _Head(msgspec.Struct):
    sha: Sha
    ref: str
    repo: _Repository | None


class _PullRequest(msgspec.Struct):
    number: int
    head: _Head


class _Pulled(msgspec.Struct):
    repository: _Repository
    pull_request: _PullRequest


def occasion(event: str, payload: bytes, *, run: str, attempt: str) -> Occasion | Skip:
    """Return which pull request was measured, or why there is nothing to comment on.

    Args:
        event: its name, GITHUB_EVENT_NAME.
        payload: its JSON.
        run: number of the run of this job, GITHUB_RUN_ID.
        attempt: GITHUB_RUN_ATTEMPT.

    Raises:
        UsageError: the event is about no pull request.
        MeasureError: its payload isn't what GitHub says it is.
    """
    try:
        if event == "workflow_run":
            return _completed(msgspec.json.decode(payload, type=_Completed))
        if event == "pull_request":
            found = msgspec.json.decode(payload, type=_Pulled)
            return _pulled(found, int(run), int(attempt))
    except (msgspec.MsgspecError, ValueError) as error:
        raise MeasureError(f"can't be read: {error}", where=event) from error
    raise UsageError(
        "comments are written on: workflow_run, or pull_request", where=event or "no event"
    )


def _completed(found: _Completed) -> Occasion | Skip:
    run = found.workflow_run
    if run.event != "pull_request":
        return Skip(why=f"run {run.id} was of {run.event}, not of a pull request")
    if run.conclusion not in _CONCLUDED:
        return Skip(why=f"run {run.id} ended as {run.conclusion}")
    if run.head_repository is None or run.head_branch is None:
        return Skip(why=f"run {run.id} is of a fork or a branch that was deleted")
    return Occasion(
        owner=run.head_repository.owner.login,
        branch=run.head_branch,
        sha=run.head_sha,
        source=run.head_repository.id,
        number=None,
        run=run.id,
        attempt=run.run_attempt,
        fork=run.head_repository.id != found.repository.id,
    )


def _pulled(found: _Pulled, run: int, attempt: int) -> Occasion | Skip:
    head = found.pull_request.head
    if head.repo is None or head.repo.id != found.repository.id:
        return Skip(
            why="the pull request comes from a fork, for which this job's token may only read: "
            "the workflow of docs/github.md comments on it"
        )
    return Occasion(
        owner=head.repo.owner.login,
        branch=head.ref,
        sha=head.sha,
        source=head.repo.id,
        number=found.pull_request.number,
        run=run,
        attempt=attempt,
        fork=False,
    )
