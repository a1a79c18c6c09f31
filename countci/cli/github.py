"""`countci github`: what the action runs, in a job of GitHub Actions."""

from __future__ import annotations

import functools
import secrets
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

import countci.cli.deliver as deliver
from countci.cli.comment import comment
from countci.cli.compare import compare as comparison
from countci.cli.measuring import Around
from countci.cli.options import cache, environment
from countci.cli.progress import shown
from countci.cli.runner import tell
from countci.cli.step import payload, variable
from countci.errors import CountciError, UsageError
from countci.github import Chosen, Inputs
from countci.model import Report
from countci.pipeline import UnmeasuredError


@click.group()
def github() -> None:
    """Compare what an event of GitHub Actions is about.

    The action in action.yml runs these; docs/github.md describes it.
    """


github.add_command(comment)


@github.command()
def compare() -> int:
    """Compare what this job's event is about, as the action's inputs ask for it.

    Inputs are read from COUNTCI_BASE, COUNTCI_HEAD, COUNTCI_QUERY, COUNTCI_LIMIT,
    COUNTCI_CONFIG, COUNTCI_MAX_TIME, COUNTCI_QUERIES_FROM, COUNTCI_SHARD, COUNTCI_TIME,
    COUNTCI_JOBS, COUNTCI_NAME and COUNTCI_CACHE_DIR; the event from GITHUB_EVENT_NAME,
    GITHUB_EVENT_PATH and GITHUB_SHA.
    """
    env = environment()
    try:
        return _compare(env)
    except click.ClickException as slip:
        error = UsageError(slip.format_message(), where="with:")
        _deliver_error(error, env)
        raise error from slip
    except UnmeasuredError:
        raise  # its report has told GitHub already
    except CountciError as error:
        _deliver_error(error, env)
        raise


@github.command()
def fingerprint() -> None:
    """Print what a store of counts is good for here, and where it is: lines of GITHUB_OUTPUT."""
    from countci import counting, revisions
    from countci.builds.places import locate

    env = environment()
    repository = revisions.open_repository(Path.cwd(), env)
    given = env.get("COUNTCI_CACHE_DIR")
    places = locate(Path(given).absolute() if given else cache(env), repository.common)
    click.echo(f"fingerprint={counting.fingerprint(places.stage, env).digest}")
    click.echo(f"store={places.store}")


@github.command()
@click.argument("result", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def report(result: Path) -> int:
    """Show RESULT, a result.json, as summary, annotations and outputs of this step."""
    from countci.reporting import read

    found = read(result.read_bytes(), name=str(result))
    env = environment()
    code = deliver.deliver(found, "terminal", (), env)
    deliver.deliver_github(found, env, result=result.absolute())
    return code


def _compare(env: Mapping[str, str]) -> int:
    from countci import revisions
    from countci.github import choose, find

    inputs = Inputs.read(env)
    wish = choose(
        variable(env, "GITHUB_EVENT_NAME"),
        payload(env),
        variable(env, "GITHUB_SHA"),
        base=inputs.base,
        head=inputs.head,
    )
    repository = revisions.open_repository(Path.cwd(), env)
    with shown(sys.stderr, env) as progress:
        chosen = find(repository, wish, progress)
    for notice in chosen.notices:
        click.echo(notice.text, err=True)
    return _start(inputs, chosen, env)


def _start(inputs: Inputs, chosen: Chosen, env: Mapping[str, str]) -> int:
    words = [chosen.base, chosen.head, *inputs.words]
    result = _folder(env) / inputs.name / "result.json"
    result.parent.mkdir(parents=True, exist_ok=True)
    result.unlink(missing_ok=True)
    around = Around(
        command=shlex.join(["countci", "compare", *_repeatable(words)]),
        notices=chosen.notices,
        deliver=functools.partial(_deliver, env=env, inputs=inputs, result=result),
    )
    returned = comparison.main(
        [*words, f"--output={result}"],
        prog_name="countci compare",
        standalone_mode=False,
        obj=around,
    )
    assert isinstance(returned, int)
    return returned


def _repeatable(words: Sequence[str]) -> list[str]:
    """Return what means something on another machine too."""
    return [word for word in words if not word.startswith(("--cache-dir=", "--max-time="))]


def _deliver(report: Report, *, env: Mapping[str, str], inputs: Inputs, result: Path) -> None:
    """Tell GitHub; a shard tells later steps only, since the job that merges all shows them."""
    from countci.reporting.github import outputs

    if inputs.shard:
        _write_outputs(env, outputs(report, result=str(result)))
    else:
        deliver.deliver_github(report, env, result=result)
    counted = "true" if report.problem is None else "false"
    _write_outputs(env, {"artifact": inputs.name, "counted": counted})


def _deliver_error(error: CountciError, env: Mapping[str, str]) -> None:
    """Tell GitHub why there is no report; the message itself is for the log."""
    from countci.reporting.github import command
    from countci.reporting.markdown_text import block

    tell(command("error", str(error), {"title": "countci: error"}))
    text = f"### countci: error\n\nNothing was measured.\n\n{block(str(error).splitlines())}"
    _append(env, "GITHUB_STEP_SUMMARY", text)
    _write_outputs(env, {"status": "error", "summary": error.problem})


def _write_outputs(env: Mapping[str, str], values: Mapping[str, str]) -> None:
    from countci.reporting.github import output_lines

    _append(env, "GITHUB_OUTPUT", output_lines(values, secrets.token_hex(16)))


def _append(env: Mapping[str, str], variable: str, text: str) -> None:
    if env.get(variable):
        with Path(env[variable]).open("a", encoding="utf-8", errors="replace") as file:
            file.write(text)


def _folder(env: Mapping[str, str]) -> Path:
    """Return where files for later steps are put: it is empty when a job begins."""
    return Path(variable(env, "RUNNER_TEMP")).absolute() / "countci" / "results"
