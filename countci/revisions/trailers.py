"""What commit messages accept: `Countci-Accept` trailers of the commits that are compared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from countci.errors import UsageError
from countci.model import Acceptance, Reason, Revision
from countci.revisions.repository import Repository

KEY = "Countci-Accept"
_FORM = f"""write it as one of
{KEY}: SUITE/QUERY METRIC +2.5% because REASON
{KEY}: SUITE/QUERY gone because REASON
git commit --amend mends the last commit, git rebase -i older ones"""
# From the end on: ids of queries that other tools named may hold spaces.
_WHOLE = re.compile(
    r"(?P<query>\S.*?)\s+"
    r"(?:gone|(?P<metric>\S+)\s+(?P<sign>[+\N{MINUS SIGN}-])\s*(?P<number>[0-9.]+)\s*%)"
    r"\s+because\s+(?P<reason>.*\w.*)",
    re.IGNORECASE | re.DOTALL,
)
_NUMBER = re.compile(r"[0-9]{1,6}(?:\.[0-9]{0,6})?|\.[0-9]{1,6}")
_AMOUNT = re.compile(r"(?:^|\s)([+\N{MINUS SIGN}-]?)\s*([0-9.,]+)\s*(%?)$")
_LINE = re.compile(rf"^{KEY}[ \t]*:.*$", re.IGNORECASE | re.MULTILINE)
# Each setting of the user that would change what git prints, or what it takes for a trailer.
_LOG = (
    "-c", "trailer.separators=:", "log", "--no-show-signature", "--no-color", "--encoding=UTF-8",
    "--topo-order", "--reverse", "--regexp-ignore-case", "--fixed-strings", f"--grep={KEY}",
    f"--format=%H%x00%(trailers:key={KEY},valueonly,unfold)%x00%B%x00",
)  # fmt: skip


def trailers(repository: Repository, base: Revision, head: Revision) -> tuple[Acceptance, ...]:
    """Return what the commits of base..head accept, parents before children.

    Nothing older than base counts, whichever way a merge brought it in; a snapshot of
    uncommitted work has the commits below it. Trailers are what git takes for trailers: lines
    of the last paragraph. `misplaced` tells the others.

    Raises:
        UsageError: a trailer says no query, value or reason; names commit and line.
    """
    return tuple(
        parse(line, commit=message.commit)
        for message in _messages(repository, base, head)
        for line in message.trailers
    )


def misplaced(repository: Repository, base: Revision, head: Revision) -> tuple[Reason, ...]:
    """Return which lines of base..head look like trailers, but stand where git reads none.

    They accept nothing, and whoever wrote them thinks that they do. No error: a merge button
    that joins messages moves trailers into the middle, and nobody can mend that afterwards.
    """
    reasons = []
    for message in _messages(repository, base, head):
        if len(_LINE.findall(message.text)) > len(message.trailers):
            text = (
                f"a {KEY} line of commit {message.commit[:10]} accepts nothing: only lines of "
                "the last paragraph, with no other text in it, are trailers"
            )
            reasons.append(Reason(code="trailer-misplaced", text=text))
    return tuple(reasons)


def parse(line: str, *, commit: str) -> Acceptance:
    """Return what one trailer accepts.

    Args:
        line: the trailer without its key: `bank/field instructions +2.5% because REASON`.
            Spaces, the case of all words but the query's, and a typographic minus as reports
            print it don't matter.
        commit: 40 hex digits.

    Raises:
        UsageError: something is missing, or no number.
    """
    plain = " ".join(line.split())
    found = _WHOLE.fullmatch(plain)
    if not found or (found["number"] and not _NUMBER.fullmatch(found["number"])):
        raise UsageError(
            _problem(plain), where=f"commit {commit[:10]}", detail=f"{KEY}: {plain}\n{_FORM}"
        )
    share = float(found["number"] or 0) / 100
    return Acceptance(
        commit=commit,
        query=found["query"],
        metric=found["metric"] and found["metric"].lower(),
        share=share if found["sign"] in {"+", None} else -share,
        reason=found["reason"],
        line=plain,
    )


def _problem(line: str) -> str:
    """Return the first thing that keeps `line` from being understood."""
    what, *reason = re.split(r"(?:^|\s)because\b", line, maxsplit=1, flags=re.IGNORECASE)
    if not reason:
        return "a trailer without a reason: it has no because"
    if not re.search(r"\w", reason[0]):
        return "a trailer without a reason: nothing follows because"
    amount = _AMOUNT.search(what)
    if not amount:
        return "a trailer without a value, or without a query"
    return _problem_of_value(*amount.groups())


def _problem_of_value(sign: str, number: str, percent: str) -> str:
    value = sign + number + percent
    if not sign:
        return f"a trailer whose value has no sign: {value}"
    if not percent:
        return f"a trailer whose value has no %: {value}"
    if not _NUMBER.fullmatch(number):
        return f"a trailer whose value is no number: {value}"
    return "a trailer that doesn't name both a query and a metric"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Message:
    """A commit's message that mentions the key."""

    commit: str
    trailers: tuple[str, ...]
    """Their values, each in one line."""
    text: str


def _messages(repository: Repository, base: Revision, head: Revision) -> Iterator[_Message]:
    status, out, err = repository.git(*_LOG, f"{base.sha}..{head.sha}", "--")
    if status:
        raise UsageError(
            "git can't list the commits that are compared",
            where=f"{base.name}..{head.name}",
            detail=err,
        )
    fields = out.decode(errors="replace").split("\0")
    for sha, values, text in zip(fields[0::3], fields[1::3], fields[2::3], strict=False):
        # Git ends each value with a new line, so an empty one is seen too.
        lines = tuple(values.split("\n")[:-1])
        yield _Message(commit=sha.strip(), trailers=lines, text=text)
