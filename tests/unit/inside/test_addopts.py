from __future__ import annotations

from pathlib import Path

import pytest

from countci.inside.addopts import kept

_MIXED = "-p own --cov=src -p pytest_cov --import-mode importlib -n4 --rootdir=x -pother -v"
_LEFT = ["-pown", "--import-mode=importlib", "--rootdir=x", "-pother"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", f'[tool.pytest.ini_options]\naddopts = "{_MIXED}"\n'),
        ("pyproject.toml", f"[tool.pytest.ini_options]\naddopts = {_MIXED.split()}\n"),
        ("pyproject.toml", f"[tool.pytest]\naddopts = {_MIXED.split()}\n"),
        ("pytest.ini", f"[pytest]\naddopts = {_MIXED}\n"),
        ("tox.ini", f"[pytest]\naddopts =\n  {_MIXED}\n"),
        ("setup.cfg", f"[tool:pytest]\naddopts = {_MIXED}\n"),
    ],
)
def test_only_what_finds_the_tests_is_kept(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)

    assert kept(tmp_path, []) == _LEFT


def test_the_first_file_that_speaks_of_pytest_counts(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.other]\n")
    (tmp_path / "setup.cfg").write_text("[tool:pytest]\naddopts = -p a\n")
    (tmp_path / "tox.ini").write_text("[pytest]\naddopts = -p b\n")

    assert kept(tmp_path, []) == ["-pb"]


def test_an_empty_pytest_ini_hides_the_others(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("")
    (tmp_path / "tox.ini").write_text("[pytest]\naddopts = -p b\n")

    assert kept(tmp_path, []) == []


def test_a_named_configuration_replaces_them(tmp_path: Path) -> None:
    (tmp_path / "tox.ini").write_text("[pytest]\naddopts = -p b\n")

    assert kept(tmp_path, ["-c", "/dev/null"]) == []


def test_without_a_configuration_nothing_is_kept(tmp_path: Path) -> None:
    assert kept(tmp_path, []) == []
