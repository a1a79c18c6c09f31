from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci.inside.plan import (
    ENOUGH,
    MOST,
    Plan,
    SleepError,
    apart,
    counted,
    plan_for,
    plan_for_sleep,
    warm_up,
)


@given(st.floats(min_value=1, max_value=1e12))
def test_a_segment_holds_two_million_instructions(instructions: float) -> None:
    plan = plan_for(instructions)

    assert plan.points[0] * instructions >= ENOUGH or plan.points[0] == MOST


@pytest.mark.parametrize(
    ("instructions", "plan"),
    [
        (20_000_001, Plan(2, (1, 2, 4))),
        (20_000_000, Plan(16, (4, 8, 16))),
        (500_000, Plan(16, (4, 8, 16))),
        (499_999, Plan(16, (8, 16, 32))),
        (900, Plan(4096, (4096, 8192, 16384))),
    ],
)
def test_the_number_of_asks_follows_from_the_price_of_one(instructions: float, plan: Plan) -> None:
    assert plan_for(instructions) == plan


def test_an_ask_that_sleeps_is_made_as_seldom_as_possible() -> None:
    assert plan_for_sleep(1.0).points == (1, 2, 4)


def test_an_ask_that_sleeps_too_long_is_refused() -> None:
    with pytest.raises(SleepError, match="sleeps 100 s"):
        plan_for_sleep(100.0)


@pytest.mark.parametrize(
    ("version", "first", "asks"),
    [((3, 12), 8, 16), ((3, 13), 8, 64), ((3, 14), 4, 16), ((3, 14), 128, 128)],
)
def test_small_asks_of_a_python_that_specialises_late_warm_up_longer(
    version: tuple[int, int], first: int, asks: int
) -> None:
    plan = Plan(max(16, first), (first, 2 * first, 4 * first))

    assert warm_up(plan, version) == asks


def test_asks_with_snapshots_of_their_own_are_few() -> None:
    assert apart(Plan(16, (4096, 8192, 16384))) == Plan(16, (2, 4, 8))
    assert apart(Plan(2, (1, 2, 4))) == Plan(2, (1, 2, 4))


def test_a_profile_tells_its_total(tmp_path: Path) -> None:
    (tmp_path / "cg.7").write_text("events: Ir\n" + "1 2\n" * 500 + "summary: 1234567\n")

    assert counted(f"{tmp_path}/cg.%p", 7) == 1234567


@pytest.mark.parametrize("text", ["", "events: Ir\n1 2\n", "events: Ir\nsummary: \n"])
def test_an_unfinished_profile_tells_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "cg.7").write_text(text)

    assert counted(f"{tmp_path}/cg.%p", 7) is None
    assert counted(f"{tmp_path}/cg.%p", 8) is None
