"""A comparison from the command line: progress while it runs, then the report and its files."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import click

from countci import bench, pipeline
from countci.cli import deliver
from countci.cli.options import Shared, invocation
from countci.cli.progress import shown
from countci.pipeline import Outcome
from countci.planning import Job


def run(job: Job, shared: Shared) -> int:
    """Return the exit code of comparing, once everything is written and shown.

    Raises:
        UsageError, MeasureError: there is no report; the message says why.
    """
    deliver.check_formats(shared.format_, shared.outputs)
    with shown(sys.stderr, job.env) as progress:
        outcome = pipeline.compare(job, progress, command=invocation())
    return report(outcome, shared, job.env)


def report(outcome: Outcome, shared: Shared, env: Mapping[str, str]) -> int:
    """Keep, write and show a report; return its exit code."""
    folder = deliver.keep(outcome.report, outcome.top or Path.cwd())
    code = deliver.deliver(outcome.report, shared.format_, shared.outputs, env)
    click.echo(f"results: {folder}", err=True)
    bench.tidy(outcome.places)
    return code
