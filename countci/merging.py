"""The reports of all shards put together: the report that one machine would have made."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from countci.errors import MeasureError
from countci.judging import overall
from countci.model import INSTRUCTIONS, Explanation, Merged, Reason, Report, Shard, Side, Verdict
from countci.sharding import SHARD
from countci.units import Seconds

_UNUSED = "acceptance-unused"
_OF_A_SHARD = ("--shard", "--output")


def merge(results: Mapping[str, Report], expect: int) -> Report:
    """Return one report of all shards: verdicts in the order of the query files.

    Args:
        results: the report of each shard, by the name of its file.
        expect: how many shards there are.

    Raises:
        MeasureError: a shard is missing, doubled, or of something else; a query was measured by
            none of them or by two. Never is such a report green.
    """
    shards = {name: _shard(name, report) for name, report in results.items()}
    _check_numbers(shards, expect)
    names = sorted(results, key=lambda name: shards[name].number)
    reports = [results[name] for name in names]
    if failed := next((each for each in reports if each.problem is not None), None):
        return replace(failed, command=_command(failed.command), shard=None)
    for name in names[1:]:
        _check_agreement(names[0], results[names[0]], name, results[name])
    _check_queries(shards, results)
    units = shards[names[0]].every
    found = [
        (_unit(verdict, units), verdict, comparison)
        for report in reports
        for verdict, comparison in zip(report.verdicts, report.comparisons, strict=True)
    ]
    # Stable: the tests of a suite stay in their order.
    found.sort(key=lambda each: each[0])
    verdicts = tuple(verdict for _, verdict, _ in found)
    return replace(
        reports[0],
        base=_side([report.base for report in reports]),
        head=_side([report.head for report in reports]),
        status=overall(verdicts),
        verdicts=verdicts,
        comparisons=tuple(comparison for _, _, comparison in found),
        explanations=_explanations(reports, verdicts),
        notices=_notices(reports),
        avx512=any(report.avx512 for report in reports),
        seconds=max(report.seconds for report in reports),
        command=_command(reports[0].command),
        shard=None,
        merged=Merged(
            shards=len(reports), seconds=Seconds(sum(report.seconds for report in reports))
        ),
    )


def _shard(name: str, report: Report) -> Shard:
    if report.shard is None:
        raise MeasureError(
            "not the result of a shard",
            where=name,
            detail="countci compare --shard 1/4 leaves one",
        )
    return report.shard


def _check_numbers(shards: Mapping[str, Shard], expect: int) -> None:
    for name, shard in shards.items():
        if shard.count != expect:
            raise MeasureError(
                f"shard {shard.number} of {shard.count}, not of {expect}", where=name
            )
    twice = [
        n for n, times in Counter(shard.number for shard in shards.values()).items() if times > 1
    ]
    if twice:
        names = [name for name, shard in shards.items() if shard.number == twice[0]]
        raise MeasureError(f"shard {twice[0]} is there twice", where=" and ".join(names))
    missing = sorted(set(range(1, expect + 1)) - {shard.number for shard in shards.values()})
    if missing:
        raise MeasureError(
            f"shard {', '.join(map(str, missing))} of {expect} left no result",
            detail="the log of its own job says why",
        )


def _check_agreement(first: str, one: Report, name: str, other: Report) -> None:
    """Raise a MeasureError for reports of different comparisons."""
    before, after = _about(one), _about(other)
    for what, told in before.items():
        if after[what] != told:
            raise MeasureError(
                f"of another {what} than {first}",
                where=name,
                detail=f"{first}: {told}\n{name}: {after[what]}",
            )


def _about(report: Report) -> dict[str, str]:
    """Return what all shards have in common, in words."""
    shard = report.shard
    assert shard is not None
    # The stage's path may differ: no shard's count is held against another's.
    platform = report.fingerprint.platform if report.fingerprint else {}
    return {
        "countci": report.countci,
        "base": _named(report.base),
        "head": _named(report.head),
        "set of query files": report.suites,
        "list of queries": ", ".join(shard.every),
        "question": shard.asked,
        "platform": ", ".join(f"{name} {text}" for name, text in platform.items()),
        "setting of unsettled": "pass" if report.unsettled_passes else "fail",
    }


def _named(side: Side) -> str:
    return f"{side.revision.sha}+{side.variant}" if side.variant else side.revision.sha


def _check_queries(shards: Mapping[str, Shard], results: Mapping[str, Report]) -> None:
    """Raise a MeasureError unless each query was measured by exactly one shard."""
    owners = Counter(query for shard in shards.values() for query in shard.queries)
    every = next(iter(shards.values())).every
    for query in every:
        if owners[query] != 1:
            how = "by more than one shard" if owners[query] else "by no shard"
            raise MeasureError(f"measured {how}", where=query)
    for name, report in results.items():
        units = shards[name].queries
        found = [_unit(verdict, units) for verdict in report.verdicts]
        if len(units) in found:
            verdict = report.verdicts[found.index(len(units))]
            raise MeasureError(f"{verdict.query} is no query of this shard", where=name)
        if lacking := [unit for index, unit in enumerate(units) if index not in found]:
            raise MeasureError(f"without a verdict of {lacking[0]}", where=name)


def _unit(verdict: Verdict, units: Sequence[str]) -> int:
    """Return the index of the query, or of the suite whose test it is; `len(units)` if none."""
    if verdict.query in units:
        return units.index(verdict.query)
    suites = [unit for unit in units if verdict.query.startswith(f"{unit}/")]
    return units.index(max(suites, key=len)) if suites else len(units)


def _side(sides: Sequence[Side]) -> Side:
    return replace(
        sides[0],
        build_seconds=Seconds(max(side.build_seconds for side in sides)),
        build_cached=all(side.build_cached for side in sides),
    )


def _explanations(
    reports: Sequence[Report], verdicts: Sequence[Verdict]
) -> tuple[Explanation, ...]:
    """Return all explanations, worst first."""
    worse = {
        verdict.query: change.delta or 0.0
        for verdict in verdicts
        for change in verdict.changes
        if change.metric == INSTRUCTIONS.name
    }
    found = [each for report in reports for each in report.explanations]
    return tuple(sorted(found, key=lambda each: -worse.get(each.query, 0.0)))


def _notices(reports: Sequence[Report]) -> tuple[Reason, ...]:
    """Return each notice once: of the run, then of single shards; what was unused comes last."""
    found = [[each for each in report.notices if each.code != SHARD] for report in reports]
    common = [each for each in found[0] if all(each in others for others in found)]
    rest = [each for some in found for each in some if each not in common]
    rest.sort(key=lambda each: each.code == _UNUSED)
    return tuple(dict.fromkeys([*common, *rest]))


def _command(command: str) -> str:
    """Return what to type for all queries at once, without the files of one shard."""
    kept: list[str] = []
    words = iter(shlex.split(command))
    for word in words:
        if word in _OF_A_SHARD:
            next(words, None)
        elif not word.startswith(tuple(f"{option}=" for option in _OF_A_SHARD)):
            kept.append(word)
    return shlex.join(kept)
