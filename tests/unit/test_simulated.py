from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import msgspec
import pytest

from countci import counting, queries
from countci.counting import Count, Misses
from countci.errors import MeasureError
from countci.measuring import asking, simulated
from countci.measuring.bench import Bench
from countci.model import Build, Change, Status, Verdict
from countci.model.metrics import DEFAULT_LIMITS
from countci.progress import Silent
from tests.reports import FAILED

COMPARISON = next(each for each in FAILED.comparisons if each.base and each.head)
FOLDER = Path("/nowhere")
MISSES = Misses(data=10.0, last=1.0, branches=5.0, instructions=1000.0)


def verdict(*, counted: float | None, timed: Status, noise: float | None = None) -> Verdict:
    changes = [
        Change(
            metric="time", base=1.0, head=1.1, delta=0.1, limit=DEFAULT_LIMITS["time"], status=timed
        )
    ]
    if counted is not None:
        changes.append(
            Change(
                metric="instructions",
                base=1000.0,
                head=1000.0 * (1 + counted),
                delta=counted,
                noise=noise,
                limit=DEFAULT_LIMITS["instructions"],
                status=Status.PASS,
            )
        )
    return Verdict(
        query=COMPARISON.query.id, kind=COMPARISON.kind, status=timed, changes=tuple(changes)
    )


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (verdict(counted=0.0, timed=Status.FAIL), True),
        (verdict(counted=0.0005, timed=Status.FAIL), True),
        (verdict(counted=-0.004, timed=Status.FAIL, noise=0.005), True),
        (verdict(counted=0.004, timed=Status.FAIL), False),
        (verdict(counted=0.0, timed=Status.UNSETTLED), False),
        (verdict(counted=0.0, timed=Status.PASS), False),
        (verdict(counted=None, timed=Status.FAIL), False),
    ],
)
def test_only_what_fails_by_time_alone_is_simulated(given: Verdict, *, expected: bool) -> None:
    assert simulated.only_slower(given) is expected


@dataclass
class Sides:
    """Stands in for the stage: what each build misses, and which were brought there."""

    misses: dict[str, Misses | MeasureError]
    brought: list[str] = field(default_factory=list)

    def bench(self) -> Bench:
        job = SimpleNamespace(jobs=1)
        return cast("Bench", SimpleNamespace(job=job, progress=Silent(), bring=self.bring))

    def bring(self, build: Build, _query: object) -> None:
        self.brought.append(build.key)

    def missed(self, *_: object) -> Misses:
        found = self.misses[self.brought[-1]]
        if isinstance(found, MeasureError):
            raise found
        return found


def notes(monkeypatch: pytest.MonkeyPatch, sides: Sides, given: Verdict) -> list[str]:
    """Return the codes of what is noted."""
    builds = tuple(
        cast("Build", SimpleNamespace(key=key, variant=None)) for key in ("base", "head")
    )
    request = Count(
        query="q",
        build="",
        fingerprint="",
        asks=lambda _: pytest.fail("it is run"),
        repeats=True,
        stage=FOLDER,
        folder=FOLDER,
    )
    monkeypatch.setattr(queries, "varied", lambda query, _: query)
    monkeypatch.setattr(asking, "request", lambda *_: request)
    monkeypatch.setattr(counting, "misses", sides.missed)
    plain = msgspec.structs.replace(COMPARISON, notes=())
    [found] = simulated.add(sides.bench(), [plain], [given], (builds[0], builds[1]))
    return [note.code for note in found.notes]


def test_what_each_side_misses_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    sides = Sides({"base": MISSES, "head": replace(MISSES, data=99.0)})

    assert notes(monkeypatch, sides, verdict(counted=0.0, timed=Status.FAIL)) == ["misses"]
    assert sides.brought == ["base", "head"]


def test_what_keeps_it_from_being_simulated_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    sides = Sides({"base": MISSES, "head": MeasureError("it forks")})

    assert notes(monkeypatch, sides, verdict(counted=0.0, timed=Status.FAIL)) == ["not-simulated"]


def test_what_does_more_work_is_not_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    sides = Sides({})

    assert notes(monkeypatch, sides, verdict(counted=0.1, timed=Status.FAIL)) == []
    assert sides.brought == []
