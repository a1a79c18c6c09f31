"""What all tests share: comparing with recorded text."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Reports are as wide as in a log, whatever the terminal that the tests are started from.
os.environ.pop("COLUMNS", None)

# An example takes as long as a busy machine lets it.
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")

Golden = Callable[[str, str], None]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="rewrite the recorded texts; read the diff before you commit it",
    )


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Compare text with the file of that name, from the top of the repository."""
    update = bool(request.config.getoption("--update-golden"))
    top = Path(__file__).parent.parent

    def check(name: str, actual: str) -> None:
        path = top / name
        if update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(actual, encoding="utf-8")
            pytest.skip(f"rewrote {name}: read the diff before you commit it")
        assert actual == path.read_text(encoding="utf-8"), f"{name}: see --update-golden"

    return check
