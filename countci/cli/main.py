"""The command `countci`: finds the sub-command, and turns every end into an exit code."""

from __future__ import annotations

import importlib
import os
import signal
import sys
import traceback
from types import FrameType
from typing import NoReturn

import click

import countci
from countci.cli.runner import guard
from countci.errors import CountciError, Interrupted

# The module of each sub-command, which holds a click command of that name: loaded only
# when it is asked for, since git, rich and SQLite cost more than many a command.
COMMANDS = {
    "compare": "compare two revisions, and fail when head does more work or takes longer",
    "merge": "put the results of all shards of a comparison together",
    "pre-merge": "compare a branch with what merging HEAD into it would give",
    "hook": "do that before pushes, and before merges are committed: hooks of git",
    "explain": "say where a difference comes from: functions, lines, hunk of the diff",
    "count": "count the instructions of one revision's queries",
    "time": "time two revisions in alternating pairs, without counting",
    "log": "count each commit of a range, and name those that moved a query",
    "bisect": "find the commits between two that moved a query",
    "baseline": "record the counts of a revision in the repository, or check against them",
    "report": "show the result of an earlier run again",
    "github": "compare what an event of GitHub Actions is about; the action runs it",
    "doctor": "tell what would disturb a measurement on this machine, and the remedy",
    "selftest": "prove on this machine that a no-op reads 0, and that +1.5 % fails",
    "init": "write a configuration and a first query for the repository at hand",
}


class _Commands(click.Group):
    """A group whose commands are imported when they are used."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        name = cmd_name.replace("-", "_")
        command = getattr(importlib.import_module(f"countci.cli.{name}"), name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(countci.__version__, prog_name="countci")
def cli() -> None:
    """Tell, before a merge, whether a change made a program do more work or take longer.

    Exit codes: 0 pass, 1 a limit is exceeded, 2 usage or configuration, 3 a revision could not be
    built or a query not measured, 4 the data can't decide, 70 a bug in countci, 130 interrupted.
    """


def main() -> NoReturn:
    """Run the command line, and exit."""
    signal.signal(signal.SIGTERM, _stop)
    guard(os.environ)
    sys.exit(_code())


def _code() -> int:
    try:
        returned = cli.main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return 2
    except (click.Abort, KeyboardInterrupt):
        click.echo("countci: interrupted; nothing was left behind", err=True)
        return Interrupted.exit_code
    except CountciError as error:
        click.echo(f"countci: error: {error}", err=True)
        return error.exit_code
    except BrokenPipeError:
        # The reader went away (`| head`); a second complaint at exit helps nobody.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception:  # noqa: BLE001 - the one boundary: whatever else it is, it is a bug here
        traceback.print_exc()
        click.echo(
            f"countci {countci.__version__}: this is a bug in countci, not in your program; "
            "please report the lines above",
            err=True,
        )
        return CountciError.exit_code
    return returned if isinstance(returned, int) else 0


def _stop(signum: int, _frame: FrameType | None) -> None:
    raise Interrupted(f"signal {signum}")
