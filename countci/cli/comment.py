"""`countci github comment`: the one comment on a pull request, from a report as a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from countci.cli.deliver import exit_code
from countci.cli.options import environment
from countci.cli.runner import tell
from countci.cli.step import payload, variable
from countci.errors import CountciError, MeasureError, UsageError
from countci.github.occasion import Occasion, Skip, occasion
from countci.model import Report

if TYPE_CHECKING:
    from countci.github.rest import Rest
    from countci.github.sticky import Wanted

_WHEN = ("when-needed", "always", "never")
_BOT = "github-actions[bot]"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What the step asks for; read before anything is done, so that slips of the pen are seen."""

    token: str = field(repr=False)
    when: str
    key: str
    """Tells apart several comments of countci on one pull request."""
    author: str

    @classmethod
    def read(cls, env: Mapping[str, str]) -> _Asked:
        from countci.reporting.github import mark

        when = env.get("COUNTCI_COMMENT") or _WHEN[0]
        if when not in _WHEN:
            raise UsageError(f"{when!r} is none of {', '.join(_WHEN)}", where="with: comment")
        token = env.get("COUNTCI_TOKEN", "")
        if when != "never" and not (token.isascii() and token.isprintable() and token):
            raise UsageError("no token is given, or what is none", where="with: token")
        key = env.get("COUNTCI_NAME") or "countci"
        try:
            mark(key)
        except ValueError as error:
            raise UsageError(str(error), where="with: name") from error
        return cls(token=token, when=when, key=key, author=env.get("COUNTCI_AUTHOR") or _BOT)


@click.command()
@click.argument("result", type=click.Path(path_type=Path))
def comment(result: Path) -> int:
    """Write the comment on the pull request that RESULT is about, or edit it.

    RESULT is a result.json, or a folder with that and nothing else in it. Settings are read from
    COUNTCI_TOKEN, COUNTCI_COMMENT (when-needed, always, never), COUNTCI_NAME and COUNTCI_AUTHOR.

    A comment that can't be written is a notice, and the exit code 0: it is no verdict.
    """
    env = environment()
    asked = _Asked.read(env)
    if asked.when == "never":
        return 0
    try:
        for line in _comment(asked, env, result):
            click.echo(line)
    except MeasureError as error:
        _notice(error)
    return 0


def _notice(error: CountciError) -> None:
    """Tell why there is no comment."""
    from countci.reporting.github import command

    title = {"title": "countci: no comment"}
    tell(command("notice", str(error), title))


def _comment(asked: _Asked, env: Mapping[str, str], result: Path) -> list[str]:
    """Return what was done, in words."""
    from countci.github.commenting import put
    from countci.github.pulls import named, of_run

    run = occasion(
        variable(env, "GITHUB_EVENT_NAME"),
        payload(env),
        run=variable(env, "GITHUB_RUN_ID"),
        attempt=variable(env, "GITHUB_RUN_ATTEMPT"),
    )
    if isinstance(run, Skip):
        return [run.why]
    report = _read(result)
    if report.shard is not None:
        return ["the report is of one shard: the merged one is commented on"]
    wanted = _wanted(asked, env, run, report)
    rest = _rest(asked, env)
    found = of_run(rest.pulls(run.owner, run.branch), run)
    if not found:
        return [f"no open pull request is at {run.sha} any more"]
    chosen = named(found, [notice.text for notice in report.notices])
    if not chosen:
        return [f"{len(found)} pull requests are at {run.sha}, and the report names none of them"]
    return [put(rest, pull.number, wanted) for pull in chosen]


def _read(result: Path) -> Report:
    from countci.github.artifact import read_artifact
    from countci.reporting import read

    try:
        return read(read_artifact(result), name="result.json")
    except UsageError as error:
        raise MeasureError(error.problem, where=error.where, detail=error.detail) from error


def _wanted(asked: _Asked, env: Mapping[str, str], run: Occasion, report: Report) -> Wanted:
    from countci.github.sticky import Wanted, claimed
    from countci.reporting.github import attempt_of, mark

    return Wanted(
        body=claimed(_body(asked, env, run, report), fork=run.fork),
        attempt=(run.run, run.attempt),
        speaks=asked.when == "always" or exit_code(report) != 0,
        mark=mark(asked.key),
        attempt_of=partial(attempt_of, key=asked.key),
        author=asked.author,
    )


def _body(asked: _Asked, env: Mapping[str, str], run: Occasion, report: Report) -> str:
    """Return the report as Markdown, made here: nothing of the file is taken for any.

    Raises:
        MeasureError: it says what no run says, and so can't be shown.
    """
    from countci.reporting.github import COMMENT_LIMIT, Frame
    from countci.reporting.github import comment as shown

    address = f"{variable(env, 'GITHUB_SERVER_URL')}/{variable(env, 'GITHUB_REPOSITORY')}"
    frame = Frame(
        limit=COMMENT_LIMIT,
        repository=address,
        sha=run.sha,
        run=f"{address}/actions/runs/{run.run}",
    )
    try:
        return shown(report, frame, key=asked.key, attempt=f"{run.run}.{run.attempt}")
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        # A stranger's file keeps to the types of a report, and to nothing else.
        problem = f"can't be shown: {type(error).__name__}"
        raise MeasureError(problem, where="result.json") from error


def _rest(asked: _Asked, env: Mapping[str, str]) -> Rest:
    from countci.github.rest import Rest
    from countci.network import Client, proxy_of

    url = variable(env, "GITHUB_API_URL")
    headers = {
        "Authorization": f"Bearer {asked.token}",
        "Accept": "application/vnd.github+json",
        "Content-Type": "application/json",
        "User-Agent": "countci",
        "X-GitHub-Api-Version": "2022-11-28",
    }
    return Rest(
        Client(url, headers, proxy=proxy_of(env, url)), url, variable(env, "GITHUB_REPOSITORY")
    )
