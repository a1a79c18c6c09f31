"""Comparisons to verdicts: by limits, what commits accept, and how far it is since the baseline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from countci import judging
from countci.model import Acceptance, Baseline, Comparison, Fingerprint, Query, Reason, Verdict
from countci.planning import Plan
from countci.storing import find_baseline, require_baseline


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What became of all queries."""

    verdicts: tuple[Verdict, ...]
    notices: tuple[Reason, ...]


def judge(
    plan: Plan,
    comparisons: Sequence[Comparison],
    fingerprint: Fingerprint | None,
    *,
    narrowed: bool = False,
) -> Judged:
    """Return the verdict of each comparison, in the same order.

    Args:
        plan: what was compared.
        comparisons: all of them, tests of suites and what is gone included.
        fingerprint: of what was counted.
        narrowed: only some queries were asked for, so that not all tests are known.

    Raises:
        UsageError: a commit accepts what isn't there, or the baseline can't be read.
    """
    found = tuple(judging.judge(comparison) for comparison in comparisons)
    found = judging.mark_loosened(found, comparisons, plan.loosened)
    loosened = judging.loosened_notices(found, plan.loosened)
    baseline = _baseline(plan, fingerprint)
    if baseline is not None:
        found = judging.add_drift(found, comparisons, baseline, plan.config.drift)
    known = (*plan.every, *(each.query for each in comparisons))
    acceptances = _checkable(plan, known) if narrowed else plan.acceptances
    accepted = judging.accept(found, acceptances, known)
    unused = judging.unused_acceptances(found, acceptances)
    return Judged(verdicts=accepted, notices=(*loosened, *unused))


def _checkable(plan: Plan, known: Sequence[Query]) -> tuple[Acceptance, ...]:
    """Return the acceptances but those of tests that may be there, and weren't collected."""
    ids = {query.id for query in known}
    suites = tuple(f"{query.id}/" for query in plan.every if query.collects)
    return tuple(
        each for each in plan.acceptances if each.query in ids or not each.query.startswith(suites)
    )


def _baseline(plan: Plan, fingerprint: Fingerprint | None) -> Baseline | None:
    """Return the baseline of this platform that head's tree has.

    Raises:
        UsageError: it can't be read; or there is none, and a limit of drift needs one.
    """
    if fingerprint is None:
        return None
    if plan.config.drift is not None:
        return require_baseline(plan.baselines, fingerprint)
    found = find_baseline(plan.baselines, fingerprint)
    return None if found is None or judging.differing(found, fingerprint) else found
