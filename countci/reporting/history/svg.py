"""A history as a picture: one panel a query, readable on light and dark pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from countci.model import Entry, History, Step
from countci.reporting.drawing import document, dot, group, label, text
from countci.reporting.history.words import day, noise, subject, summary, values, why
from countci.reporting.reporter import Look
from countci.reporting.words import heading
from countci.units import show_count, show_share

_PANEL, _TOP, _BOTTOM = 170, 62, 14
_LEFT, _RIGHT = 86.0, 860.0
_HIGH, _LOW = 34.0, 122.0
"""Of a panel: where its largest and its smallest number lie."""
_LABEL = 60.0
"""Pixels that the label of a step takes."""


def render(history: History, look: Look) -> str:  # noqa: ARG001 - every format's signature
    """Return `history` as an SVG document that needs no other file."""
    marks: list[str] = []
    for number, query in enumerate(history.queries):
        panel = _Panel.of(history, query)
        drawn = [*panel.frame(), *panel.curve(), *panel.gaps(), *panel.steps()]
        marks += group(_TOP + number * _PANEL, drawn)
    title = f"{history.range}: {heading(history.metric).lower()}"
    height = _TOP + _PANEL * len(history.queries) + _BOTTOM
    return document(title, summary(history), height, marks)


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
        yield label(20, 16, self.query, "name")
        for y in (_HIGH, _LOW):
            yield f'<path class="axis" d="M{_LEFT} {y}H{_RIGHT}"/>'
        ends = ((_HIGH, self.high), (_LOW, self.low)) if self.high > self.low else ()
        for y, number in ends or ((self._y(self.low), self.low),):
            yield label(_LEFT - 8, y + 4, show_count(number), "dim small", anchor="end")
        first, last = self.entries[0].commit, self.entries[-1].commit
        for x, commit, anchor in ((_LEFT, first, "start"), (_RIGHT, last, "end")):
            text = f"{commit.sha[:7]} {day(commit)}"
            yield label(x, _LOW + 20, text, "dim small", anchor=anchor)

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
                yield dot(self._x(place), self._y(number), radius, "dot", said)

    def gaps(self) -> Iterator[str]:
        """Yield a mark below each commit without a number."""
        for place, number in enumerate(self.numbers):
            if number is None:
                entry = self.entries[place]
                said = text(f"{entry.commit.sha[:10]}: {why(entry, self.query)}")
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
            yield dot(x, self._y(number), 4, _colour(step), said)
            if all(abs(x - other) >= _LABEL for other in taken):
                taken.append(x)
                yield self._size(step, x, self._y(number), size)

    def _size(self, step: Step, x: float, y: float, size: str) -> str:
        """Return the label of a step: above a rise, beside a fall, to which a line comes down."""
        style = f"{_colour(step)} small"
        inside = min(max(x, _LEFT + _LABEL / 2), _RIGHT - _LABEL / 2)
        if step.delta > 0 or x > _RIGHT - _LABEL:
            return label(inside, y - 8, size, style, anchor="middle")
        return label(x + 7, y - 7, size, style)

    def _x(self, place: int) -> float:
        return _LEFT + (_RIGHT - _LEFT) * place / max(1, len(self.numbers) - 1)

    def _y(self, number: float) -> float:
        share = (number - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return _LOW - (_LOW - _HIGH) * share


def _colour(step: Step) -> str:
    return "worse" if step.delta > 0 else "better"
