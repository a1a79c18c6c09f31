from __future__ import annotations

from pathlib import Path

import pytest

from countci.builds.python import Pins, choosing, resolve
from countci.builds.python.pip import Pip
from countci.errors import MeasureError, UsageError
from countci.model import PythonEnvironment
from tests.unit.revisions.conftest import Git

from .python_pair import Machine


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path, Git(tmp_path / "home"))


def pyproject(*dependencies: str, build: str = "hatchling", more: str = "") -> dict[str, str]:
    return {
        "pyproject.toml": f'[build-system]\nrequires = ["{build}"]\n'
        f'[project]\nname = "Bank"\ndependencies = {list(dependencies)}\n{more}'
    }


def test_both_sides_get_the_same_versions_by_one_question(machine: Machine) -> None:
    machine.commit(pyproject("attrs"))
    machine.commit({"README.md": "x"})

    found = resolve(machine.request())

    assert found.head == Pins(runtime=("attrs==1",), build=("hatchling==5",))
    assert found.base == found.head
    assert found.reasons == ()
    assert machine.calls == ["pip compile", "pip compile"]


def test_what_was_found_once_stays_whatever_is_published_since(machine: Machine) -> None:
    machine.commit(pyproject("attrs"))
    machine.commit({"README.md": "x"})
    before = resolve(machine.request())
    machine.publish(attrs="2", hatchling="6")
    machine.calls  # noqa: B018 - forgets them

    assert resolve(machine.request()) == before
    assert machine.calls == []


def test_base_is_held_to_the_versions_of_head_and_what_head_adds_is_named(
    machine: Machine,
) -> None:
    machine.commit(pyproject("attrs"))
    resolve(machine.request(base="HEAD"))
    machine.publish(attrs="2", pytest="8", hatchling="5")
    machine.commit(pyproject("attrs", "pytest"))

    found = resolve(machine.request())

    assert found.head.runtime == ("attrs==2", "pytest==8")
    assert found.base.runtime == ("attrs==2",)
    (reason,) = found.reasons
    assert reason.code == "dependencies-differ"
    assert reason.text.endswith("part of the change: pytest not there \N{RIGHTWARDS ARROW} 8")


def test_where_both_cannot_have_the_same_each_package_is_named_with_both_versions(
    machine: Machine,
) -> None:
    machine.commit(pyproject("attrs==1", build="setuptools==70"))
    machine.commit(pyproject("attrs==2", build="setuptools"))

    found = resolve(machine.request())

    assert found.base == Pins(runtime=("attrs==1",), build=("setuptools==70",))
    texts = [reason.text.rpartition(": ")[2] for reason in found.reasons]
    assert texts == ["attrs 1 \N{RIGHTWARDS ARROW} 2", "setuptools 70 \N{RIGHTWARDS ARROW} 80"]


def test_the_lock_files_of_both_sides_win(machine: Machine) -> None:
    machine.commit({**pyproject("attrs"), "uv.lock": "attrs==0.8"})
    machine.commit({"uv.lock": "attrs==0.9"})

    found = resolve(machine.request())

    assert found.base.runtime == ("attrs==0.8",)
    assert found.head.runtime == ("attrs==0.9",)
    assert "export --frozen" in machine.calls
    assert len(found.reasons) == 1


def poetry(**versions: str) -> dict[str, str]:
    packages = (
        f'[[package]]\nname = "{name}"\nversion = "{version}"\n'
        for name, version in versions.items()
    )
    return {"poetry.lock": "".join(packages)}


def test_poetrys_lock_files_hold_each_side_and_what_differs_is_named(machine: Machine) -> None:
    machine.commit({**pyproject("attrs", "pytest"), **poetry(attrs="0.8", pytest="7")})
    machine.commit(poetry(attrs="0.9", pytest="7"))

    found = resolve(machine.request(PythonEnvironment(packages=("setuptools",))))

    assert found.base.runtime == ("attrs==0.8", "pytest==7", "setuptools==80")
    assert found.head.runtime == ("attrs==0.9", "pytest==7", "setuptools==80")
    (reason,) = found.reasons
    assert reason.code == "dependencies-differ"
    assert reason.text.endswith(": attrs 0.8 \N{RIGHTWARDS ARROW} 0.9")


def test_what_only_bases_lock_file_leaves_free_has_the_version_of_head(machine: Machine) -> None:
    machine.commit({**pyproject("attrs", "pytest"), **poetry(attrs="0.8")})
    machine.commit(poetry(attrs="0.9", pytest="7"))

    found = resolve(machine.request())

    assert found.base.runtime == ("attrs==0.8", "pytest==7")


def test_a_lock_file_that_has_no_solution_is_told_of_and_not_taken(machine: Machine) -> None:
    machine.commit({**pyproject("attrs==1"), **poetry(attrs="0.8")})
    machine.commit({"README.md": "x"})

    found = resolve(machine.request())

    assert found.head.runtime == ("attrs==1",)
    (reason,) = found.reasons
    assert reason.code == "lock-not-held"
    assert reason.text.startswith("poetry.lock of HEAD has no solution")


def test_where_uv_reads_its_own_lock_file_another_holds_nothing(machine: Machine) -> None:
    machine.commit({**pyproject("attrs"), **poetry(attrs="0.8"), "uv.lock": "attrs==0.7"})
    machine.commit({"README.md": "x"})

    assert resolve(machine.request()).head.runtime == ("attrs==0.7",)


def test_a_lock_file_that_pip_cannot_read_is_told_of(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.commit({**pyproject("attrs"), "uv.lock": "attrs==0.8"})
    machine.commit({"README.md": "x"})
    monkeypatch.setattr(choosing, "_uv_version", lambda _path, _env: "")
    monkeypatch.setattr(Pip, "solve", lambda _self, ask: tuple(f"{x}==1" for x in ask.lines))

    found = resolve(machine.request())

    assert found.head.runtime == ("attrs==1",)
    assert [reason.code for reason in found.reasons] == ["lock-not-read"]


def test_a_project_that_only_its_backend_knows_is_asked_in_a_copy_and_is_no_pin_itself(
    machine: Machine,
) -> None:
    machine.commit({"setup.py": "setup(...)", "src/a.py": ""})
    machine.commit({"src/a.py": "1"})

    found = resolve(machine.request(PythonEnvironment(packages=("pytest",))))

    assert found.head == Pins(runtime=("pytest==8",), build=("setuptools==80",))


def test_without_an_index_the_error_shows_what_uv_said_and_what_to_do(machine: Machine) -> None:
    machine.commit(pyproject("attrs"))
    machine.commit({"README.md": "x"})
    (machine.bin / "index").unlink()

    with pytest.raises(MeasureError, match="dependencies can't be resolved") as caught:
        resolve(machine.request())

    assert caught.value.where == "HEAD"
    assert "Failed to fetch" in caught.value.detail
    assert "pass-env" in caught.value.detail
    assert not (machine.places.runs / "python").exists()


def test_a_tracked_environment_is_refused(machine: Machine) -> None:
    machine.commit({**pyproject(), ".venv/pyvenv.cfg": ""})
    machine.commit({"README.md": "x"})

    with pytest.raises(UsageError, match=r"\.venv of its own") as caught:
        resolve(machine.request())

    assert caught.value.where == "HEAD~1"
    assert "git rm" in caught.value.detail
