"""What is right to say of a change of known size, and what is not."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from countci.errors import MeasureError
from countci.model import Change, Kind, Limit, Problem, Status, Verdict
from countci.selftest import Proof
from countci.selftest.trials import STEPS, TRIALS, Trial, files, hold

README, NO_OP, SMALL, LARGE = TRIALS


def verdict(delta: float | None, status: Status, *, proven: bool = False) -> Verdict:
    change = Change(
        metric="instructions",
        base=1e5,
        head=None,
        delta=delta,
        limit=Limit(share=0.01),
        status=status,
        proven=proven,
    )
    return Verdict(query="selftest/ask", kind=Kind.BOTH, status=status, changes=(change,))


@pytest.mark.parametrize(
    ("trial", "given", "text"),
    [
        (
            README,
            verdict(0.0, Status.PASS, proven=True),
            "README alone: 0 % by proof, passes, as it should",
        ),
        (NO_OP, verdict(0.0, Status.PASS), "no-op:        0 %, passes, as it should"),
        (SMALL, verdict(0.00499, Status.PASS), "+0.5 %:       +0.50 %, passes, as it should"),
        (LARGE, verdict(0.01497, Status.FAIL), "+1.5 %:       +1.50 %, fails, as it should"),
    ],
    ids=lambda value: value.name if isinstance(value, Trial) else "",
)
def test_each_trial_is_right_when_the_gate_says_what_is_true(
    trial: Trial, given: Verdict, text: str
) -> None:
    found = hold(trial, given)

    assert found.right
    assert found.text.replace("\N{NO-BREAK SPACE}", " ") == text


@pytest.mark.parametrize(
    ("trial", "given"),
    [
        (NO_OP, verdict(1e-9, Status.PASS)),
        (NO_OP, verdict(0.0, Status.PASS, proven=True)),
        (README, verdict(0.0, Status.PASS)),
        (SMALL, verdict(0.006, Status.PASS)),
        (SMALL, verdict(0.005, Status.UNSETTLED)),
        (LARGE, verdict(0.015, Status.PASS)),
        (LARGE, verdict(None, Status.FAIL)),
        (LARGE, verdict(-0.015, Status.FAIL)),
    ],
)
def test_nothing_else_is_right(trial: Trial, given: Verdict) -> None:
    found = hold(trial, given)

    assert not found.right
    assert "but should be" in found.text


def test_a_query_that_could_not_be_measured_says_why() -> None:
    broken = replace(
        verdict(None, Status.ERROR), changes=(), problem=Problem(problem="exit status 1")
    )

    assert "not measured (exit status 1)" in hold(NO_OP, broken).text


def test_the_program_of_a_no_op_differs_and_its_steps_do_not() -> None:
    base, no_op, readme = (files(trial, "int main;") for trial in (None, NO_OP, README))

    assert base["program.c"] != no_op["program.c"]
    assert base["program.c"] == readme["program.c"]
    assert f"STEPS {STEPS}" in no_op["program.c"]
    assert f"STEPS {STEPS + STEPS // 200}" in files(SMALL, "")["program.c"]


def test_one_wrong_trial_is_an_error_that_says_what_was_expected() -> None:
    right = hold(NO_OP, verdict(0.0, Status.PASS))
    wrong = hold(LARGE, verdict(0.0, Status.PASS))

    with pytest.raises(MeasureError, match="1 of 2 came out wrong") as caught:
        Proof(findings=(right, wrong)).raise_if_wrong()

    assert "+1.5 %" in caught.value.detail
    assert "no-op" not in caught.value.detail
    Proof(findings=(right,)).raise_if_wrong()
