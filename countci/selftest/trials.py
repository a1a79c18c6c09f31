"""Changes whose effect is known, and what the gate said of each. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from countci.model import Change, Status, Verdict
from countci.units import show_share

STEPS = 10_000
"""Steps of the program's ask on base: a share of 0.5 % is 50 of them."""
_NEAR = 0.0001
"""Around the steps an ask has some instructions of its own, 0.01 % of it."""
_DID = {Status.PASS: "passes", Status.FAIL: "fails", Status.UNSETTLED: "is unsettled"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One commit on top of base, and what is right to say of it."""

    name: str
    share: float
    """By how much it makes an ask do more, as a fraction."""
    status: Status
    proven: bool = False
    """Nothing that the query reads differs, so nothing needs to be counted."""
    edition: int = 1
    """Another one makes another program that does the same work."""

    @property
    def steps(self) -> int:
        """Steps of an ask."""
        return round(STEPS * (1 + self.share))


TRIALS = (
    Trial(name="README alone", share=0.0, status=Status.PASS, proven=True),
    Trial(name="no-op", share=0.0, status=Status.PASS, edition=2),
    Trial(name="+0.5 %", share=0.005, status=Status.PASS),
    Trial(name="+1.5 %", share=0.015, status=Status.FAIL),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What the gate said of one trial. Made by `hold`."""

    trial: Trial
    right: bool
    text: str
    """One line for people."""


def hold(trial: Trial, verdict: Verdict) -> Finding:
    """Return whether `verdict` is what is right to say of `trial`."""
    change = next(iter(verdict.changes), None)
    right = change is not None and verdict.status is trial.status and _is_right(trial, change)
    said = _said(verdict, change)
    end = "as it should" if right else f"but should be {_expected(trial)}"
    return Finding(trial=trial, right=right, text=f"{trial.name + ':':<14}{said}, {end}")


def files(trial: Trial | None, program: str) -> Mapping[str, str]:
    """Return the files of a trial's commit by path; of base where there is none."""
    steps, edition, readme = STEPS, 1, "The program of a selftest.\n"
    if trial is not None:
        steps, edition, readme = trial.steps, trial.edition, f"{readme}{trial.name}\n"
    # Settings stand in the source: one build command for all, as in a real project.
    settings = f"#define STEPS {steps}\n#define EDITION {edition}\n"
    return {"program.c": settings + program, "README.md": readme, **_PROJECT}


_PROJECT = {
    "countci.toml": 'build = ["cc -O0 -o program program.c"]\n',
    "queries/selftest.toml": '[query.ask]\ncommand = "./program {n}"\n',
}


def _is_right(trial: Trial, change: Change) -> bool:
    if change.delta is None or change.proven is not trial.proven:
        return False
    # What does the same work reads exactly 0, and not nearly.
    near = _NEAR if trial.share else 0.0
    return abs(change.delta - trial.share) <= near


def _said(verdict: Verdict, change: Change | None) -> str:
    if verdict.problem is not None or change is None or change.delta is None:
        problem = verdict.problem.problem if verdict.problem else "nothing was counted"
        return f"not measured ({problem})"
    proof = " by proof" if change.proven else ""
    did = _DID.get(verdict.status, "is an error")
    return f"{show_share(change.delta)}{proof}, {did}"


def _expected(trial: Trial) -> str:
    proof = " by proof" if trial.proven else " by count" if not trial.share else ""
    return f"{show_share(trial.share)}{proof}, and {trial.status.value}"
