"""The sentences of a report, without any markup."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from countci.judging import LOOSENED
from countci.model import METRICS, Kind, Report, Side, Status, Verdict
from countci.reporting.clean import one_line
from countci.reporting.rows import (
    ACCEPTED,
    IDENTICAL,
    UNMEASURABLE,
    is_accepted,
    is_improved,
    kind_or_status,
)
from countci.units import show_seconds

_WORSE = {
    "instructions": ("does more work", "do more work"),
    "time": ("takes longer", "take longer"),
    "syscalls": ("makes more system calls", "make more system calls"),
    "allocations": ("allocates more often", "allocate more often"),
    "allocated_bytes": ("allocates more bytes", "allocate more bytes"),
}


def short(side: Side) -> str:
    """Return what was built, and the variant: `0b5fa1d`, `0b5fa1d+evented`."""
    sha = side.revision.sha[:7]
    return f"{sha}+{one_line(side.variant)}" if side.variant else sha


def verdict(report: Report) -> str:
    """Return what came out, in one sentence that follows the word of the status."""
    if not report.verdicts:
        why = f": {one_line(report.problem.problem)}" if report.problem else ""
        return f"no query was measured{why}"
    errors, failures = _errors(report), _failures(report.verdicts)
    total = _queries(len(report.verdicts))
    parts = [*errors, *failures]
    if report.status is Status.UNSETTLED:
        kinds = [each.kind for each in report.verdicts if each.status is Status.UNSETTLED]
        count = sum(kind is not Kind.UNMEASURABLE for kind in kinds)
        parts.append(f"the data can't decide {count} of {total}")
    elif parts and parts[0][0].isdigit():
        first, _, rest = parts[0].partition(" ")
        parts[0] = f"{first} of {total} {rest}"
    if not parts:
        return _good(report)
    return ", ".join([*parts, *_loosened_words(report)])


def counter(report: Report) -> str:
    """Return what counted: its versions, and what of this machine it can't show programs."""
    print_ = report.fingerprint
    if print_ is None:
        return ""
    less = " (AVX-512 of this machine is not counted)" if report.avx512 else ""
    return one_line(f"valgrind {print_.valgrind}, {print_.libc}, {print_.cpu}{less}")


def took(report: Report) -> str:
    """Return how long it took: `3 min 21 s in all`; of shards, the longest and the sum."""
    longest = show_seconds(report.seconds)
    if report.merged is None:
        return f"{longest} in all"
    total = show_seconds(report.merged.seconds)
    shards = "1 shard" if report.merged.shards == 1 else f"{report.merged.shards} shards"
    return f"merged from {shards}: {longest} the longest, {total} together"


def exit_words(report: Report) -> str:
    """Return what the run ends with: `exit 4`."""
    forgiven = report.status is Status.UNSETTLED and report.unsettled_passes
    return f"exit {0 if forgiven else report.status.exit_code}"


def tally(report: Report) -> str:
    """Return how many queries came out how: `2 fail, 1 improved, 9 pass`."""
    counts = Counter(map(word, report.verdicts))
    judged = ("error", "gone", "fail", "unsettled", ACCEPTED, "improved", "pass", IDENTICAL)
    order = (*judged, "new", UNMEASURABLE)
    return ", ".join(f"{counts[name]} {name}" for name in order if counts[name])


def word(verdict: Verdict) -> str:
    """Return the one word for a query: its status, or what says more than `pass`."""
    said = kind_or_status(verdict, verdict.status)
    if said != Status.PASS.value or not verdict.changes:
        return said
    if any(map(is_accepted, verdict.changes)):
        return ACCEPTED
    if all(change.proven for change in verdict.changes):
        return IDENTICAL
    return "improved" if any(map(is_improved, verdict.changes)) else said


def heading(metric: str) -> str:
    """Return the heading of a metric's table: `Instructions per ask`."""
    known = METRICS.get(metric)
    tail = " per ask" if known is not None and known.unit.endswith(" per ask") else ""
    words = metric.replace("_", " ")
    return f"{words[:1].upper()}{words[1:]}{tail}"


def named(names: Sequence[str], most: int = 3) -> str:
    """Return the first names and how many more there are: `a, b, c and 17 more`."""
    clean = [one_line(name) for name in names]
    if len(clean) > most + 1:
        return f"{', '.join(clean[:most])} and {len(clean) - most} more"
    return " and ".join(part for part in (", ".join(clean[:-1]), *clean[-1:]) if part)


def _errors(report: Report) -> list[str]:
    errors = [each for each in report.verdicts if each.status is Status.ERROR]
    partly = _partly(report)
    errors = [each for each in errors if each.query not in partly]
    gone = sum(each.kind is Kind.GONE for each in errors)
    unclear = sum(
        each.kind is not Kind.GONE and not each.problem and bool(each.changes) for each in errors
    )
    missing = len(errors) - gone - unclear
    parts = (
        _some(missing, "was not measured", "were not measured"),
        _some(unclear, "can't be judged", "can't be judged"),
        _some(gone, "is gone", "are gone"),
    )
    lacking = [
        f"{named(metrics)} of {_queries(count)} {'were' if metrics[1:] else 'was'} not measured"
        for metrics, count in Counter(partly.values()).items()
    ]
    return [part for part in (parts[0], *lacking, *parts[1:]) if part]


def _partly(report: Report) -> dict[str, tuple[str, ...]]:
    """Return, of each query that was measured in part, the metrics that were not."""
    asked = {each.query.id: each.query.metrics for each in report.comparisons}
    found = {}
    for verdict in report.verdicts:
        known = [change.metric for change in verdict.changes]
        lacking = tuple(name for name in asked.get(verdict.query, ()) if name not in known)
        if verdict.problem is not None and known and lacking:
            found[verdict.query] = lacking
    return found


def _failures(verdicts: Sequence[Verdict]) -> list[str]:
    counts = Counter(
        change.metric
        for each in verdicts
        for change in each.changes
        if change.status is Status.FAIL
    )
    parts = []
    for metric, count in counts.items():
        name = one_line(metric)
        parts.append(
            _some(count, *_WORSE.get(metric, (f"is worse in {name}", f"are worse in {name}")))
        )
    return parts


def _good(report: Report) -> str:
    counts = Counter(map(word, report.verdicts))
    beside = {name: counts.pop(name, 0) for name in (ACCEPTED, "gone", "new", UNMEASURABLE)}
    total = counts.total()
    if not total and any(beside.values()):
        return _none_within(beside)
    if counts[IDENTICAL] == total:
        parts = [f"nothing changed for {'all ' if total > 1 else ''}{_queries(total)}"]
        parts += _loosened_words(report)
    else:
        parts = _within(total, _loosened(report))
        parts += [f"{counts[name]} {name}" for name in ("improved", IDENTICAL) if counts[name]]
    return ", ".join([*parts, *_beside(beside)])


def _within(total: int, loosened: int) -> list[str]:
    parts = [f"{_queries(total)} within {'their' if total > 1 else 'its'} limits"]
    if not loosened:
        return parts
    which = "" if total == 1 else f"of which {loosened} {'was' if loosened == 1 else 'were'} "
    return [*parts, f"{which}loosened by this change"]


def _loosened_words(report: Report) -> list[str]:
    loosened = _loosened(report)
    return [f"limits of {loosened} loosened by this change"] if loosened else []


def _loosened(report: Report) -> int:
    """Return of how many queries head's files made a limit less strict."""
    return sum(
        any(reason.code == LOOSENED for change in each.changes for reason in change.reasons)
        for each in report.verdicts
    )


def _none_within(beside: Mapping[str, int]) -> str:
    """Return what is said where no query was held against its limits and kept them."""
    kinds = [name for name, count in beside.items() if count]
    if kinds == [UNMEASURABLE]:
        return "this machine can measure none of it"
    new = beside["new"]
    if kinds == ["new"]:
        return f"{_queries(new)} {'are' if new > 1 else 'is'} new, with nothing to be held against"
    if kinds == ["accepted"]:
        accepted = beside["accepted"]
        own = "are beyond their" if accepted > 1 else "is beyond its"
        return f"{_queries(accepted)} {own} limits, as accepted"
    return f"no query within its limits, {', '.join(_beside(beside))}"


def _beside(counts: Mapping[str, int]) -> list[str]:
    """Return what kept no limits, and passes all the same; what is gone was accepted then."""
    said = {"gone": "gone as accepted"}
    return [f"{count} {said.get(name, name)}" for name, count in counts.items() if count]


def _some(count: int, one: str, several: str) -> str:
    return f"{count} {one if count == 1 else several}" if count else ""


def _queries(count: int) -> str:
    return "1 query" if count == 1 else f"{count} queries"
