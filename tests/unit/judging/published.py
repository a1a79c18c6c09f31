"""Published tables: figures of other people, as they were printed."""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from pathlib import Path

from countci.judging.statistics import speed_up

_FOLDER = Path(__file__).parents[2] / "data" / "published"
MEAN = "geometric mean"


def table(name: str) -> list[dict[str, str]]:
    with (_FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def column(name: str, title: str) -> list[float]:
    return [float(row[title]) for row in table(name)]


@dataclass(frozen=True)
class Printed:
    """A number as it was printed: it stands for all that round to it."""

    text: str

    @property
    def value(self) -> float:
        return float(self.text)

    @property
    def ends(self) -> tuple[float, float]:
        half = 0.5 * 10.0 ** -len(self.text.partition(".")[2])
        return self.value - half, self.value + half


@dataclass(frozen=True)
class Row:
    """A row of a table of speed-ups."""

    name: str
    base: Printed
    head: Printed
    percent: Printed
    better: str

    @property
    def computed(self) -> float:
        """In percent, from the row as it is printed."""
        return 100 * speed_up(self.base.value, self.head.value, better=self.better)

    @property
    def agrees(self) -> bool:
        """Whether some numbers that are printed so have a speed-up that is printed so."""
        found = [
            100 * speed_up(base, head, better=self.better)
            for base in self.base.ends
            for head in self.head.ends
        ]
        low, high = self.percent.ends
        return min(found) <= high and low <= max(found) and math.isfinite(sum(found))


def speed_ups(name: str) -> list[Row]:
    """Return the rows of a table: label, base, head and a percentage are its last columns."""
    rows = []
    for row in table(name):
        titles, cells = list(row), list(row.values())
        rows.append(
            Row(
                name=cells[0],
                base=Printed(cells[-3]),
                head=Printed(cells[-2]),
                percent=Printed(cells[-1]),
                better="lower" if titles[-3].endswith("_us") else "higher",
            )
        )
    return rows
