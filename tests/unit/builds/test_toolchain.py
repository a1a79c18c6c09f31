from __future__ import annotations

import importlib
import os
from pathlib import Path

import pytest

from countci.builds import toolchain
from countci.model import Recipe


def make_tool(folder: Path, name: str) -> Path:
    folder.mkdir(exist_ok=True)
    tool = folder / name
    tool.write_text("#!/bin/sh\necho ran >> ran\n")
    tool.chmod(0o755)
    os.utime(tool, ns=(1, 1))
    return tool


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return {"PATH": str(tmp_path / "bin")}


def test_a_tool_is_told_by_real_path_size_and_time(tmp_path: Path, env: dict[str, str]) -> None:
    tool = make_tool(tmp_path / "bin", "gcc-12")
    (tmp_path / "bin" / "gcc").symlink_to("gcc-12")

    found = toolchain(Recipe(commands=()), env)

    assert found["gcc"] == f"{tool} {tool.stat().st_size} 1"
    assert "clang" not in found


@pytest.mark.parametrize(
    "command",
    ["tool", "env CC=tool make", "ccache tool -c a.c", "'tool' x", "unclosed ' tool"],
)
def test_every_word_that_is_a_program_counts(
    tmp_path: Path, env: dict[str, str], command: str
) -> None:
    make_tool(tmp_path / "bin", "tool")

    assert "tool" in toolchain(Recipe(commands=(command,)), env)


def test_a_compiler_that_a_variable_names_counts(tmp_path: Path, env: dict[str, str]) -> None:
    make_tool(tmp_path / "bin", "gcc-99")

    assert "gcc-99" in toolchain(Recipe(commands=()), env | {"CC": "ccache gcc-99"})


def test_a_path_counts_when_it_leads_out_of_the_tree(tmp_path: Path, env: dict[str, str]) -> None:
    tool = make_tool(tmp_path, "outside")

    found = toolchain(Recipe(commands=("./configure", str(tool), "/no/such")), env)

    assert str(tool) in found
    assert not {"./configure", "/no/such"} & found.keys()


def test_another_version_behind_the_same_shim_counts(tmp_path: Path) -> None:
    env = {"PATH": "", "RUSTUP_HOME": str(tmp_path), "PYENV_ROOT": str(tmp_path / "pyenv")}
    seen = [toolchain(Recipe(commands=()), env)]
    for name in ("settings.toml", "update-hashes/stable", "pyenv/version"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
        seen.append(toolchain(Recipe(commands=()), env))

    assert len({str(found) for found in seen}) == 4


def test_the_list_of_the_systems_packages_counts(
    tmp_path: Path, env: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    status = make_tool(tmp_path, "status")
    module = importlib.import_module("countci.builds.toolchain")
    monkeypatch.setattr(module, "_SYSTEM", (str(status),))

    first = toolchain(Recipe(commands=()), env)
    os.utime(status, ns=(2, 2))  # the same packages, installed by the next job
    second = toolchain(Recipe(commands=()), env)
    status.write_text("another version")
    third = toolchain(Recipe(commands=()), env)

    assert first[str(status)] == second[str(status)] != third[str(status)]


def test_no_tool_is_started(tmp_path: Path, env: dict[str, str]) -> None:
    make_tool(tmp_path / "bin", "make")

    toolchain(Recipe(commands=("make",)), env)

    assert not list(tmp_path.rglob("ran"))
