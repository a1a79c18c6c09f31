"""`countci bisect`: the commits between two that moved a query."""

from __future__ import annotations

import sys

import click

import countci.cli.deliver as deliver
from countci import history
from countci.cli.log import show
from countci.cli.options import Shared, invocation, shared
from countci.cli.progress import shown
from countci.errors import UsageError
from countci.history import Asked, Search
from countci.measuring import bench, explained
from countci.model import INSTRUCTIONS, METRICS
from countci.reporting.history import bisection_as_json, render_bisection
from countci.units import parse_share


@click.command()
@click.argument("good")
@click.argument("bad")
@click.argument("query")
@shared("patterns", "limits", "outputs", "format_")
@click.option(
    "--metric",
    default=INSTRUCTIONS.name,
    show_default=True,
    metavar="NAME",
    help="Which exact metric is looked at.",
)
@click.option(
    "--limit",
    default="0.1%",
    show_default=True,
    metavar="LIMIT",
    help="A move up to this is none.",
)
@click.option(
    "--explain/--no-explain", default=True, help="Say where each step comes from: seconds a step."
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["terminal", "json"]),
    default="terminal",
    show_default=True,
    help="What is printed.",
)
def bisect(  # noqa: PLR0913 - options
    good: str,
    bad: str,
    query: str,
    shared: Shared,
    *,
    metric: str,
    limit: str,
    explain: bool,
    format_: str,
) -> int:
    """Find each commit after GOOD, up to BAD, that moved QUERY, by counting few of them.

    The query files are those of BAD. A commit that can't be built is skipped; where that hides
    which one it was, all that it may be are named.
    """
    _check_metric(metric)
    asked = Asked(metric=metric, limit=parse_share(limit, where="--limit"))
    wanted = Search(good=good, bad=bad, query=query, asked=asked)
    job = shared.job(None, None, tuple({INSTRUCTIONS.name: 0, metric: 0}))
    says = explained.add if explain else None
    with shown(sys.stderr, job.env) as progress:
        found = history.bisect(job, wanted, progress, explain=says, command=invocation())
    if format_ == "json":
        click.echo(bisection_as_json(found.bisection), nl=False)
    else:
        text = render_bisection(found.bisection, deliver.look(job.env))
        show(text, lambda: text)
    bench.tidy(found.places)
    return 0


def _check_metric(name: str) -> None:
    known = METRICS.get(name)
    if known is not None and not known.exact:
        exact = ", ".join(each.name for each in METRICS.values() if each.exact)
        raise UsageError(
            "bisect goes by single counts, and this one is sampled",
            where=f"--metric {name}",
            detail=f"exact are {exact}",
        )
