from __future__ import annotations

import os
import shlex
from pathlib import Path

import pytest

from countci.builds import toolchain
from countci.builds.python import Pins, recipe
from countci.builds.python.request import PRETENDED
from countci.builds.recipe import arguments
from countci.model import PythonEnvironment
from tests.unit.revisions.conftest import Git

from .python_pair import Machine

PINS = Pins(options=("--pre",), runtime=("attrs==1",), build=("hatchling==5",))


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    machine = Machine(tmp_path / "with {brace} and space", Git(tmp_path / "home"))
    machine.commit({"a": "1"}, tag="v1.2.0")
    machine.commit({"a": "2"}, tag="bank-1.3rc1")
    machine.commit({"a": "3"})
    return machine


def test_the_environment_comes_first_then_the_own_commands_then_the_compiler(
    machine: Machine,
) -> None:
    made = recipe(machine.request(None, "HEAD", "make -C '{build}' x"), PINS)

    words = [arguments(command, machine.places) for command in made.commands]
    stage = str(machine.places.stage)
    assert words[0] == (
        *(str(machine.bin / "uv"), "venv", "--no-project"),
        *("--python", str(machine.bin / "python3"), f"{stage}/.venv"),
    )
    assert Path(words[1][-1]).read_text() == "--pre\nattrs==1\n"
    assert words[2][-1] == stage
    held = words[2][words[2].index("--build-constraints") + 1]
    assert Path(held).read_text() == "--pre\nhatchling==5\n"
    assert words[3] == ("make", "-C", stage, "x")
    assert "UNCHECKED_HASH" in words[4][-2]
    assert len(words) == 5


def test_nothing_is_installed_that_was_not_asked_for(machine: Machine) -> None:
    request = machine.request(PythonEnvironment(install=False), "HEAD")

    made = recipe(request, Pins())

    assert [shlex.split(command)[1] for command in made.commands] == ["venv", "-I"]


def test_the_same_pins_are_the_same_recipe_and_no_tool_changes_by_it(tmp_path: Path) -> None:
    machine = Machine(tmp_path, Git(tmp_path / "home"))
    machine.commit({"a": "1"})
    request = machine.request(None, "HEAD")
    first = recipe(request, PINS)
    for path in (request.folder / "pins").iterdir():
        os.utime(path, (1, 1))  # part of the key, since a command names the file
    before = toolchain(first, request.env)

    again = recipe(request, PINS)

    assert again == first
    assert toolchain(again, request.env) == before
    assert recipe(request, Pins(build=("hatchling==6",))) != first


def test_both_sides_pretend_to_be_the_nearest_tag_of_head(machine: Machine) -> None:
    variables = machine.request(None, "v1.2.0").variables

    assert {variables[name] for name in PRETENDED} == {"1.3rc1"}


def test_without_a_tag_the_version_is_0(tmp_path: Path) -> None:
    machine = Machine(tmp_path, Git(tmp_path / "home"))
    machine.commit({"a": "1"})

    assert machine.request(None, "HEAD").variables["PBR_VERSION"] == "0"


def test_dependencies_never_pretend(machine: Machine) -> None:
    made = recipe(machine.request(), PINS)

    words = shlex.split(made.commands[1])
    assert words[0] == "env"
    assert {words[at + 1] for at, word in enumerate(words) if word == "-u"} == {*PRETENDED}


def test_versions_are_left_alone_when_that_is_asked_for(machine: Machine) -> None:
    variables = machine.request(PythonEnvironment(pretend_version=False)).variables

    assert not {*PRETENDED} & {*variables}


def test_builds_see_the_environment_first_and_keep_downloads_out_of_it(machine: Machine) -> None:
    variables = machine.request().variables

    assert variables["PATH"].startswith(f"{machine.places.stage}/.venv/bin:")
    assert variables["UV_CACHE_DIR"].startswith(f"{machine.places.root}/python/")
    assert not {"CFLAGS", "LDFLAGS", "PYTHONPATH"} & {*variables}


def test_the_tools_tell_interpreter_and_installer(machine: Machine) -> None:
    tools = machine.request().tools

    assert tools["[python] installer"] == "uv 9.9.9"
    assert str(machine.bin / "python3") in tools["[python]"]
