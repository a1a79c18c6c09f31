"""A history as a picture: one panel a query, readable on light and dark pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from countci.model import Entry, History, Step
from countci.reporting.clean import one_line
from countci.reporting.history.words import day, noise, subject, summary, values, why
from countci.reporting.reporter import Look
from countci.reporting.words import heading
from countci.units import show_count, show_share

_WIDTH, _PANEL, _TOP, _BOTTOM = 880, 170, 62, 14
_LEFT, _RIGHT = 86.0, 860.0
_HIGH, _LOW = 34.0, 122.0
"""Of a panel: where its largest and its smallest number lie."""
_LABEL = 60.0
"""Pixels that the label of a step takes."""
_STYLE = """
text { font: 12px system-ui, "DejaVu Sans", sans-serif; fill: #1f2328 }
.back { fill: #ffffff } .dim { fill: #59636e } .name { font-weight: 600 }
.line { fill: none; stroke: #0969da; stroke-width: 2 } .dot { fill: #0969da }
.axis { stroke: #d1d9e0 } .gap { stroke: #9a6700; stroke-width: 2 }
.worse { fill: #cf222e } .better { fill: #1a7f37 } .small { font-size: 11px }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc } .back { fill: #0d1117 } .dim { fill: #9198a1 }
.line { stroke: #4493f8 } .dot { fill: #4493f8 } .axis { stroke: #3d444d }
.gap { stroke: #d29922 } .worse { fill: #ff7b72 } .better { fill: #3fb950 }
}"""


def render(history: History, look: Look) -> str:  # noqa: ARG001 - every format's signature
    """Return `history` as an SVG document that needs no other file."""
    height = _TOP + _PANEL * len(history.queries) + _BOTTOM
    size = f'viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}"'
    title = f"{history.range}: {heading(history.metric).lower()}"
    said = summary(history)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="title said">',
        f'<title id="title">{_text(title)}</title>',
        f'<desc id="said">{_text(said)}</desc>',
        f"<style>{_STYLE}\n</style>",
        f'<rect class="back" width="{_WIDTH}" height="{height}"/>',
        f'<text class="name" x="20" y="26" font-size="15">{_text(title)}</text>',
        f'<text class="dim" x="20" y="46">{_text(said)}</text>',
    ]
    for number, query in enumerate(history.queries):
        panel = _Panel.of(history, query)
        lines.append(f'<g transform="translate(0 {_TOP + number * _PANEL})">')
        lines += [*panel.frame(), *panel.curve(), *panel.gaps(), *panel.steps(), "</g>"]
    return "\n".join([*lines, "</svg>", ""])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Panel:
    """One query, from the oldest commit on the left to the newest on the right."""

    query: str
    entries: Sequence[Entry]
    numbers: Sequence[float | None]
    moves: Sequence[Step]
    low: float
    """The smallest number."""
    high: float

    @classmethod
    def of(cls, history: History, query: str) -> _Panel:
        readings = [each.readings.get(query) for each in history.entries]
        known = [each.per_ask for each in readings if each and each.per_ask is not None] or [0.0]
        return cls(
            query=query,
            entries=history.entries,
            numbers=[each.per_ask if each else None for each in readings],
            moves=[each for each in history.steps if each.query == query],
            low=min(known),
            high=max(known),
        )

    def frame(self) -> Iterator[str]:
        """Yield name, axes and their ends."""
        yield _label(20, 16, self.query, "name")
        for y in (_HIGH, _LOW):
            yield f'<path class="axis" d="M{_LEFT} {y}H{_RIGHT}"/>'
        ends = ((_HIGH, self.high), (_LOW, self.low)) if self.high > self.low else ()
        for y, number in ends or ((self._y(self.low), self.low),):
            yield _label(_LEFT - 8, y + 4, show_count(number), "dim small", anchor="end")
        first, last = self.entries[0].commit, self.entries[-1].commit
        for x, commit, anchor in ((_LEFT, first, "start"), (_RIGHT, last, "end")):
            text = f"{commit.sha[:7]} {day(commit)}"
            yield _label(x, _LOW + 20, text, "dim small", anchor=anchor)

    def curve(self) -> Iterator[str]:
        """Yield the levels, joined where nothing is missing, and a dot for each number."""
        path, pen = [], "M"
        for place, number in enumerate(self.numbers):
            if number is None:
                pen = "M"
                continue
            path.append(f"{pen}{self._x(place):.1f} {self._y(number):.1f}")
            pen = "L"
        yield f'<path class="line" d="{"".join(path)}"/>'
        radius = 2.5 if len(self.numbers) <= 150 else 1
        for place, number in enumerate(self.numbers):
            if number is not None:
                commit = self.entries[place].commit
                said = f"{commit.sha[:10]} {subject(commit)}: {show_count(number)}"
                yield _dot(self._x(place), self._y(number), radius, "dot", said)

    def gaps(self) -> Iterator[str]:
        """Yield a mark below each commit without a number."""
        for place, number in enumerate(self.numbers):
            if number is None:
                entry = self.entries[place]
                said = _text(f"{entry.commit.sha[:10]}: {why(entry, self.query)}")
                mark = f"M{self._x(place):.1f} {_LOW - 4}v8"
                yield f'<path class="gap" d="{mark}"><title>{said}</title></path>'

    def steps(self) -> Iterator[str]:
        """Yield a dot for each step, and its size where no larger one's stands already."""
        places = {each.commit.sha: place for place, each in enumerate(self.entries)}
        taken: list[float] = []
        for step in sorted(self.moves, key=lambda each: -abs(each.delta)):
            x = self._x(places[step.commit.sha])
            number = self.numbers[places[step.commit.sha]]
            assert number is not None
            size = f"{show_share(step.delta)}{noise(step)}"
            said = f"{step.commit.sha[:10]} {subject(step.commit)}: {size}, {values(step)}"
            yield _dot(x, self._y(number), 4, _colour(step), said)
            if all(abs(x - other) >= _LABEL for other in taken):
                taken.append(x)
                yield self._size(step, x, self._y(number), size)

    def _size(self, step: Step, x: float, y: float, size: str) -> str:
        """Return the label of a step: above a rise, beside a fall, to which a line comes down."""
        style = f"{_colour(step)} small"
        inside = min(max(x, _LEFT + _LABEL / 2), _RIGHT - _LABEL / 2)
        if step.delta > 0 or x > _RIGHT - _LABEL:
            return _label(inside, y - 8, size, style, anchor="middle")
        return _label(x + 7, y - 7, size, style)

    def _x(self, place: int) -> float:
        return _LEFT + (_RIGHT - _LEFT) * place / max(1, len(self.numbers) - 1)

    def _y(self, number: float) -> float:
        share = (number - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return _LOW - (_LOW - _HIGH) * share


def _colour(step: Step) -> str:
    return "worse" if step.delta > 0 else "better"


def _dot(x: float, y: float, radius: float, style: str, said: str) -> str:
    title = f"<title>{_text(said)}</title>"
    return f'<circle class="{style}" cx="{x:.1f}" cy="{y:.1f}" r="{radius}">{title}</circle>'


def _label(x: float, y: float, text: str, style: str, *, anchor: str = "start") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text class="{style}" {place}>{_text(text)}</text>'


def _text(text: str) -> str:
    # Two characters are no XML, however they are written.
    return escape(one_line(text).translate({0xFFFE: " ", 0xFFFF: " "}))
