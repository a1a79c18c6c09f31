"""The order of the real tests."""

from __future__ import annotations

import pytest

_LONGEST = (
    *("test_pytest_kind", "test_explain_constructed", "test_compare", "test_trust"),
    *("test_inside_pytest", "test_python_environment", "test_history", "test_python_kind"),
    *("test_inside_python", "test_server_examples", "test_policies", "test_real_runs"),
    *("test_hooks", "test_more_counts", "test_history_of_tests", "test_action"),
)
"""Files of a minute and more. Begun last, one of them keeps a core busy and the other one idle."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest files; each is one worker's, so that its fixtures are made once."""
    items.sort(key=lambda item: _place(item.path.stem))


def _place(name: str) -> int:
    return _LONGEST.index(name) if name in _LONGEST else len(_LONGEST)
