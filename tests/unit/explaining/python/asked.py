"""Two versions of a small program, really traced, and what is said of their difference."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from countci.counting import Function, Trace
from countci.explaining.diff import parse
from countci.explaining.python import Question, explain
from countci.explaining.python.flow import Flow, flow
from countci.inside.traced import trace
from countci.model import Explanation
from tests.unit.explaining.programs import diff


def traced(files: Mapping[str, str]) -> Trace:
    """Return what its function `ask` executes; Python files share their names."""
    names: dict[str, Any] = {}
    for path, text in files.items():
        if not path.endswith(".py"):
            continue
        exec(compile(text, path, "exec"), names)  # noqa: S102
    return msgspec.convert(trace(names["ask"], 2, int), Trace)


def flowing(base: Mapping[str, str], head: Mapping[str, str]) -> Flow:
    """Return both as one graph."""
    return flow(traced(base), traced(head), parse(diff(base, head)))


def explained(
    base: Mapping[str, str],
    head: Mapping[str, str],
    totals: tuple[float, float] = (100_000.0, 110_000.0),
    renames: Mapping[str, str] | None = None,
) -> Explanation:
    """Return the explanation."""
    return explain(
        Question(
            query="suite/query",
            base=traced(base),
            head=traced(head),
            diff=diff(base, head, renames),
            totals=totals,
            source=head.get,
        )
    )


def edited(text: str, *pairs: tuple[str, str]) -> str:
    """Return a text with each first part, which is there, replaced by the second."""
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    return text


def function(name: str, calls: int, cost: int, digest: str = "same") -> Function:
    """Return a function of one file."""
    return Function(
        file="a.py",
        name=name,
        line=1,
        last=9,
        digest=digest,
        cells=(),
        uses=(),
        calls=calls,
        byte_codes=cost,
        lines=(),
    )
