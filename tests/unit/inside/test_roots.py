from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from countci.inside.roots import is_asked

HERE = Path("/project")


def _config(*args: str, pyargs: bool = False) -> Any:  # noqa: ANN401 - stands in for pytest's
    return SimpleNamespace(
        args=args,
        option=SimpleNamespace(pyargs=pyargs),
        invocation_params=SimpleNamespace(dir=HERE),
    )


@pytest.mark.parametrize(
    ("path", "asked"),
    [
        ("tests", True),
        ("tests/test_a.py", True),
        ("benchmarks/deep/test_b.py", True),
        ("tests/test_c.py", False),
        ("README.md", False),
        ("docs", False),
    ],
)
def test_what_lies_beside_the_arguments_is_not_asked_for(path: str, asked: bool) -> None:  # noqa: FBT001
    config = _config("tests/test_a.py::test_one[1]", "./benchmarks")

    assert is_asked(HERE / path, config) is asked


def test_the_whole_folder_asks_for_all_of_it() -> None:
    assert is_asked(HERE / "README.md", _config("."))


def test_names_of_modules_may_lie_anywhere() -> None:
    assert is_asked(HERE / "src/shop", _config("shop.tests", pyargs=True))
