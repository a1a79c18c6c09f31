"""A change as a small drawing: where it lies between no change and its limit."""

from __future__ import annotations

from collections.abc import Iterator

from countci.model import TIME, Change, Comparison, Samples

_WIDTH, _HEIGHT = 140, 18
_LIMITS = 2.5
"""How many limits the drawing reaches to both sides; what lies beyond stands at its edge."""


def plot(change: Change, raw: Comparison | None) -> str:
    """Return the drawing of one metric of one query; nothing where there is no change to draw.

    A dot is a pair of runs, the thick line the interval of 95 %, the dashed line the limit.
    It says nothing that the numbers beside it don't, so readers of screens pass it by.
    """
    if change.delta is None or change.proven or change.limit.share <= 0:
        return ""
    reach = change.limit.share * _LIMITS
    samples = raw.samples if raw is not None and change.metric == TIME.name else None
    marks = [
        _line("axis", 0.0, reach, 1),
        *(_line("limit", side * change.limit.share, reach, 2) for side in (-1, 1)),
        *_dots(samples, reach),
        *_span(change, reach),
        f'<circle class="at" cx="{_at(change.delta, reach)}" cy="{_HEIGHT // 2}" r="4"/>',
    ]
    size = f'width="{_WIDTH}" height="{_HEIGHT}" viewBox="0 0 {_WIDTH} {_HEIGHT}"'
    return f'<svg {size} aria-hidden="true">{"".join(marks)}</svg>'


def _dots(samples: Samples | None, reach: float) -> Iterator[str]:
    for number, pair in enumerate(samples.pairs if samples is not None else ()):
        if pair.base.wall > 0:
            x = _at(pair.head.wall / pair.base.wall - 1, reach)
            # In three rows, so that equal ones can be told apart.
            y = _HEIGHT // 2 + (number % 3 - 1) * 5
            yield f'<circle class="pair" cx="{x}" cy="{y}" r="2"/>'


def _span(change: Change, reach: float) -> Iterator[str]:
    if change.low is not None and change.high is not None:
        ends = _at(change.low, reach), _at(change.high, reach)
        middle = _HEIGHT // 2
        yield f'<path class="span" d="M{ends[0]} {middle}H{ends[1]}"/>'


def _line(kind: str, share: float, reach: float, inset: int) -> str:
    return f'<path class="{kind}" d="M{_at(share, reach)} {inset}V{_HEIGHT - inset}"/>'


def _at(share: float, reach: float) -> str:
    """Return where `share` lies, in pixels from the left."""
    half = _WIDTH / 2 - 4
    part = max(-1.0, min(1.0, share / reach))
    return f"{_WIDTH / 2 + half * part:.1f}"
