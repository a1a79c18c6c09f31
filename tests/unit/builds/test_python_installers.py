from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from countci.builds.python import choosing
from countci.builds.python.choosing import choose
from countci.builds.python.installer import Ask, Installer
from countci.builds.python.interpreter import Interpreter
from countci.builds.python.pip import Pip
from countci.builds.python.uv import Uv
from countci.errors import MeasureError, UsageError
from countci.units import Seconds

from .python_pair import write_program

PYTHON = Interpreter(path="/opt/{3}/python3", version="3.11", pip="23.2.1")
UV = Uv(path="/opt/uv", version="uv 1", interpreter=PYTHON.path)
PIP = Pip(runner=PYTHON.path, number="23.2.1", interpreter=PYTHON.path)


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Take uv and pip out of countci's own environment."""
    monkeypatch.setattr(choosing, "_OWN", str(tmp_path / "own" / "python"))
    monkeypatch.setattr(choosing, "_own_pip", lambda: "")


@pytest.mark.usefixtures("alone")
def test_uv_is_taken_where_there_is_one(tmp_path: Path) -> None:
    uv = write_program(tmp_path / "uv", "#!/bin/sh\necho uv 1.2\n")

    found = choose(PYTHON, {"PATH": str(tmp_path)})

    assert found == Uv(path=str(uv), version="uv 1.2", interpreter=PYTHON.path)


@pytest.mark.usefixtures("alone")
def test_the_uv_of_countcis_own_environment_does_as_well(tmp_path: Path) -> None:
    write_program(tmp_path / "own" / "uv", "#!/bin/sh\necho uv 1.2\n")

    assert isinstance(choose(PYTHON, {"PATH": "/nowhere"}), Uv)


@pytest.mark.usefixtures("alone")
def test_a_shim_that_starts_no_uv_is_passed_over(tmp_path: Path) -> None:
    write_program(tmp_path / "uv", "#!/bin/sh\nexit 127\n")

    assert choose(PYTHON, {"PATH": str(tmp_path)}) == PIP


@pytest.mark.usefixtures("alone")
def test_an_old_pip_is_replaced_by_our_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    old = Interpreter(path="/opt/python3", version="3.9", pip="22.2")
    with pytest.raises(UsageError, match="neither uv nor pip") as caught:
        choose(old, {"PATH": "/nowhere"})
    monkeypatch.setattr(choosing, "_own_pip", lambda: "25.3.1")

    found = choose(old, {"PATH": "/nowhere"})

    assert "pip install uv" in caught.value.detail
    assert isinstance(found, Pip)
    assert (found.runner, found.version) == (str(tmp_path / "own" / "python"), "pip 25.3.1")


@pytest.mark.parametrize("installer", [UV, PIP])
def test_commands_install_exactly_what_the_pins_say_and_no_link_to_the_tree(
    installer: Installer,
) -> None:
    create = installer.create()
    dependencies, project = installer.dependencies("/pins"), installer.project("/held")

    assert "/opt/{{3}}/python3" in create  # a recipe's word for it
    assert create[-1] == "{build}/.venv"
    for command in (dependencies, project):
        assert "--no-deps" in command
        assert "{build}/.venv/bin/python" in command
        assert not {"-e", "--editable", "--compile", "--no-build-isolation"} & {*command}
    assert dependencies[-1] == "/pins"
    assert project[-1] == "{build}"
    assert any("/held" in word for word in project)


def ask(folder: Path, *lines: str) -> Ask:
    return Ask(
        folder=folder,
        lines=lines,
        constraints=("attrs==1",),
        options=("--pre",),
        env={"PATH": "/usr/bin:/bin"},
        timeout=Seconds(9.0),
    )


def test_the_report_of_pip_becomes_pins(tmp_path: Path) -> None:
    report = {
        "install": [
            installed("Attrs", "1", "https://h/attrs.whl"),
            installed("bank", "2", "file:///tree", dir_info={"editable": True}),
            installed("x", "3", "https://h/x", vcs_info={"vcs": "git", "commit_id": "ab"}),
        ]
    }
    stand_in = f"""#!{sys.executable} -IS
import pathlib, sys
assert sys.argv[1:6] == ["-m", "pip", "--python", "/usr/bin/python3", "install"]
assert "--dry-run" in sys.argv and "--ignore-installed" in sys.argv
assert pathlib.Path(sys.argv[-1]).read_text() == "--pre\\nattrs\\n.\\n"
assert pathlib.Path(sys.argv[-3]).read_text() == "attrs==1\\n"
path = pathlib.Path(sys.argv[sys.argv.index("--report") + 1])
path.write_text({json.dumps(report)!r})
"""
    runner = write_program(tmp_path / "python", stand_in)
    pip = Pip(runner=str(runner), number="25", interpreter="/usr/bin/python3")

    found = pip.solve(ask(tmp_path, "attrs", "."))

    assert found == ("Attrs==1", "bank @ file:///tree", "x @ git+https://h/x@ab")


def installed(name: str, version: str, url: str, **info: object) -> dict[str, object]:
    return {
        "metadata": {"name": name, "version": version, "summary": "..."},
        "download_info": {"url": url, **info},
        "is_direct": bool(info),
    }


def test_what_an_installer_says_last_is_in_the_error(tmp_path: Path) -> None:
    uv = write_program(tmp_path / "uv", "#!/bin/sh\necho no solution >&2\nexit 1\n")

    with pytest.raises(MeasureError) as caught:
        Uv(path=str(uv), version="", interpreter="python3").solve(ask(tmp_path, "x"))

    assert caught.value.detail == "no solution"
