"""Where a report goes: standard output, the files that were asked for, the folder of results."""

from __future__ import annotations

import os
import secrets
import shlex
import shutil
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from countci import process
from countci.cli.runner import tell
from countci.errors import UsageError
from countci.model import Report, Status
from countci.reporting import REPORTERS, Look, reporter_for
from countci.reporting.frame import Frame
from countci.storing import write, write_file


def check_formats(format_: str, outputs: tuple[Path, ...]) -> None:
    """Raise a UsageError for a report that can't be rendered or written, before measuring."""
    if format_ not in REPORTERS:
        raise UsageError(
            f"no such format; there are {', '.join(REPORTERS)}", where=f"--format {format_}"
        )
    for path in outputs:
        reporter_for(path)
    check_writable(outputs)


def check_writable(outputs: tuple[Path, ...]) -> None:
    """Raise a UsageError for a file that can't be written: its folder must be there."""
    for path in outputs:
        folder = path.absolute().parent
        if not folder.is_dir():
            detail = f"mkdir -p {shlex.quote(str(folder))}"
            raise UsageError("no such folder", where=f"--output {path}", detail=detail)
        if not os.access(folder, os.W_OK) or path.is_dir():
            raise UsageError("can't be written", where=f"--output {path}")


def deliver(report: Report, format_: str, outputs: tuple[Path, ...], env: Mapping[str, str]) -> int:
    """Print `report`, write it to `outputs`, and return the exit code of its status.

    Args:
        report: the report.
        format_: how it is printed; empty: not at all.
        outputs: files, each in the format of its ending.
        env: tells how wide a terminal is.

    Raises:
        UsageError: a file can't be written after all.
    """
    if format_:
        click.echo(REPORTERS[format_].render(report, look(env)), nl=False, color=True)
    for path in outputs:
        text = reporter_for(path).render(report, Look(width=100, colour=False))
        try:
            write_file(path, text.encode())
        except OSError as error:
            problem = f"can't be written: {error.strerror}"
            raise UsageError(problem, where=f"--output {path}") from error
    return exit_code(report)


def deliver_github(report: Report, env: Mapping[str, str], *, result: Path) -> None:
    """Give `report` to GitHub: the summary of the step, annotations, then outputs.

    A file that can't be written is a warning: what becomes of the job is the verdict's to say.

    Args:
        report: the report.
        env: names the files of the step: GITHUB_STEP_SUMMARY and GITHUB_OUTPUT, where it has them.
        result: where result.json now is, for later steps.
    """
    from countci.reporting import github

    frame = _frame(env)
    taken = _size(env.get("GITHUB_STEP_SUMMARY"))
    limited = replace(frame, limit=max(0, github.SUMMARY_LIMIT - taken))
    _append(env, "GITHUB_STEP_SUMMARY", github.summary(report, limited))
    tell(github.annotation_lines(report))
    values = github.outputs(report, result=str(result))
    _append(env, "GITHUB_OUTPUT", github.output_lines(values, secrets.token_hex(16)))


def _frame(env: Mapping[str, str]) -> Frame:
    server, repository = env.get("GITHUB_SERVER_URL"), env.get("GITHUB_REPOSITORY")
    if not (server and repository):
        return Frame()
    address = f"{server}/{repository}"
    run = env.get("GITHUB_RUN_ID")
    return Frame(repository=address, run=f"{address}/actions/runs/{run}" if run else "")


def _append(env: Mapping[str, str], variable: str, text: str) -> None:
    path = env.get(variable)
    if not path:
        return
    try:
        with Path(path).open("a", encoding="utf-8", errors="replace") as file:
            file.write(text)
    except OSError as error:
        click.echo(f"countci: warning: {variable} can't be written: {error.strerror}", err=True)


def _size(path: str | None) -> int:
    try:
        return Path(path).stat().st_size if path else 0
    except OSError:
        return 0


def keep(report: Report, top: Path) -> Path:
    """Return the folder below `top` where the results of this run now are."""
    day = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
    sides = f"{report.base.revision.sha[:7]}-{report.head.revision.sha[:7]}"
    return write(top / ".countci" / "results", f"{day}-{sides}", partial(_fill, report))


def _fill(report: Report, folder: Path) -> None:
    from countci.timing import write_pyperf

    plain = Look(width=80, colour=False)
    result = REPORTERS["json"].render(report, plain)
    (folder / "result.json").write_text(result, encoding="utf-8")
    (folder / "commands.sh").write_text(process.transcript(), encoding="utf-8")
    write_pyperf(
        report.comparisons, base=folder / "base.pyperf.json", head=folder / "head.pyperf.json"
    )


def look(env: Mapping[str, str]) -> Look:
    """Return how wide and how colourful standard output is."""
    terminal = sys.stdout.isatty()
    asked = env.get("COLUMNS", "")
    width = int(asked) if asked.isdigit() and int(asked) else 100
    if terminal:
        width = shutil.get_terminal_size((width, 24)).columns
    return Look(width=width, colour=terminal and not env.get("NO_COLOR"))


def exit_code(report: Report) -> int:
    """Return the exit code of the report's status."""
    if report.status is Status.UNSETTLED and report.unsettled_passes:
        return 0
    return report.status.exit_code
