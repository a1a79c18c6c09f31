"""A comparison from the command line: progress while it runs, then the report and its files."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import click

import countci.cli.deliver as deliver
from countci import pipeline
from countci.cli.options import Shared, invocation
from countci.cli.progress import shown
from countci.job import Job
from countci.measuring import bench
from countci.model import Reason, Report
from countci.pipeline import Outcome, UnmeasuredError


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What whoever starts a comparison for somebody else adds to it; the `obj` of click."""

    command: str
    """What to type to repeat it."""
    notices: tuple[Reason, ...]
    """Of the two revisions."""
    deliver: Callable[[Report], None]
    """Is given the report once it is written and shown."""


def run(job: Job, shared: Shared, *, command: str | None = None) -> int:
    """Return the exit code of comparing, once everything is written and shown.

    Args:
        job: what is compared.
        shared: how the report is shown.
        command: what to type to repeat it; None is what was typed.

    Raises:
        UsageError, MeasureError: there is no report; the message says why.
    """
    deliver.check_formats(shared.format_, shared.outputs)
    around = click.get_current_context().find_object(Around)
    if around is not None:
        job = dataclasses.replace(job, notices=(*job.notices, *around.notices))
    with shown(sys.stderr, job.env) as progress:
        typed = invocation() if around is None else around.command
        unmeasured: UnmeasuredError | None = None
        try:
            outcome = pipeline.compare(job, progress, command=command or typed)
        except UnmeasuredError as error:
            outcome, unmeasured = error.outcome, error
    code = report(outcome, shared, job.env, around)
    if unmeasured is not None:
        raise unmeasured
    return code


def report(
    outcome: Outcome, shared: Shared, env: Mapping[str, str], around: Around | None = None
) -> int:
    """Keep, write and show a report; return its exit code."""
    folder = deliver.keep(outcome.report, outcome.top or Path.cwd())
    # The error that ends the run says at the terminal what this would say.
    said = outcome.report.problem is not None and shared.format_ == "terminal"
    code = deliver.deliver(outcome.report, "" if said else shared.format_, shared.outputs, env)
    if around is not None:
        around.deliver(outcome.report)
    click.echo(f"results: {folder}", err=True)
    bench.tidy(outcome.places)
    return code
