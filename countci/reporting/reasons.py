"""What a reader should know beside the numbers: each thing once, with the queries it is true of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from countci.judging import LOOSENED
from countci.model import Comparison, Identity, Problem, Reason, Report, Status, Verdict
from countci.reporting.clean import lines, one_line
from countci.reporting.words import named

EVERY = "all queries"
Fact: TypeAlias = Problem | Reason | Identity


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """One thing to know."""

    queries: tuple[str, ...]
    """Never empty, in the order of the query files; of the run as a whole, `EVERY`."""
    text: str
    """A sentence without a full stop."""
    where: str = ""
    """A command, or `file:line`."""
    detail: tuple[str, ...] = ()
    """Lines: what to do next, or the end of a program's own output."""
    bad: bool = False
    """Why a query has no result, and not a remark."""


def reasons(report: Report) -> tuple[Paragraph, ...]:
    """Return errors first, then remarks; equal ones of several queries are one paragraph."""
    queries: dict[tuple[Fact, bool], list[str]] = {}
    by_id = {comparison.query.id: comparison for comparison in report.comparisons}
    for verdict in report.verdicts:
        # A dict drops what several metrics of the query say alike.
        for fact in dict.fromkeys(_facts(verdict, by_id.get(verdict.query))):
            queries.setdefault(fact, []).append(verdict.query)
    paragraphs = [_paragraph(fact, tuple(found), bad=bad) for (fact, bad), found in queries.items()]
    if report.problem is not None:
        paragraphs.append(_paragraph(report.problem, (EVERY,), bad=True))
    return tuple(sorted(paragraphs, key=lambda each: not each.bad))


def notices(report: Report) -> tuple[str, ...]:
    """Return what is to be seen before the numbers, a sentence each."""
    return tuple(one_line(notice.text) for notice in report.notices)


def _facts(verdict: Verdict, raw: Comparison | None) -> Iterator[tuple[Fact, bool]]:
    """Yield each fact, and whether it tells why there is no result."""
    failed = verdict.status is Status.ERROR
    identity = raw.identity if raw is not None else None
    if verdict.problem is not None:
        yield verdict.problem, True
    elif failed and not (verdict.changes or verdict.reasons):
        yield Problem(problem="not measured, and nothing was written down why"), True
    if identity is not None:
        yield identity, False
    for reason in verdict.reasons:
        # The identity itself tells which paths differ all the same.
        if reason.code != "identical" or identity is None:
            yield reason, failed and not verdict.changes
    for change in verdict.changes:
        for reason in change.reasons:
            if reason.code != LOOSENED:  # a notice has said that
                yield reason, change.status is Status.ERROR
    for note in raw.notes if raw is not None else ():
        yield note, False


def _paragraph(fact: Fact, queries: tuple[str, ...], *, bad: bool) -> Paragraph:
    if isinstance(fact, Problem):
        return Paragraph(
            queries=queries,
            text=one_line(fact.problem),
            where=one_line(fact.where),
            detail=tuple(lines(fact.detail)),
            bad=bad,
        )
    if isinstance(fact, Identity):
        return Paragraph(queries=queries, text=_identical(fact, several=len(queries) > 1))
    return Paragraph(queries=queries, text=one_line(fact.text), bad=bad)


def _identical(identity: Identity, *, several: bool) -> str:
    if not identity.differs:
        return "identical, as the two builds are equal"
    verb = "differs" if len(identity.differs) == 1 else "differ"
    reads = "they read" if several else "it reads"
    return f"identical, as nothing that {reads} differs (only {named(identity.differs)} {verb})"
