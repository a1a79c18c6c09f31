from __future__ import annotations

from pathlib import Path

from countci.inside.plan import Plan
from countci.inside.plans import Plans, content_of

NONE = Plan(0, (0, 0, 0))


def _plans(folder: Path, plans: dict[str, tuple[int, tuple[int, ...]]]) -> Plans:
    (folder / "plans").write_bytes(content_of(plans))
    return Plans(str(folder / "plans"))


def test_the_plan_of_a_test_is_found_by_its_whole_name(tmp_path: Path) -> None:
    plans = _plans(tmp_path, {"a::t[ü 1]": (16, (4, 8, 16)), "a::t": (2, (1, 2, 4))})

    assert plans.get("a::t") == Plan(2, (1, 2, 4))
    assert plans.get("a::t[ü 1]") == Plan(16, (4, 8, 16))
    assert plans.get("t") == plans.get("a::t[") == NONE


def test_no_test_or_no_file_is_no_plan(tmp_path: Path) -> None:
    assert _plans(tmp_path, {}).get("a::t") == NONE
    assert Plans("").get("a::t") == NONE


def test_a_file_with_plans_is_as_long_as_one_without() -> None:
    many = {f"test_{n}": (16, (4, 8, 16)) for n in range(100)}

    assert len(content_of(many)) == len(content_of({}))
