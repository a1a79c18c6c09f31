from __future__ import annotations

import pytest

from countci.builds.python.asking import Asked, Source, asked
from countci.errors import UsageError
from countci.model import PythonEnvironment

PROJECT = """
[build-system]
requires = ["hatchling"]
[project]
name = "bank"
dependencies = ["attrs"]
[project.optional-dependencies]
test = ["pytest"]
[dependency-groups]
bench = ["pyperf"]
"""


def source(where: str = "HEAD", **files: str) -> Source:
    tree = {name.replace("_", "."): text.encode() for name, text in files.items()}
    return Source(read=tree.get, tree=f"tree of {where}", where=where)


def ask(
    python: PythonEnvironment, own: Source, head: Source | None = None, *, uv: bool = False
) -> Asked:
    return asked(python, own, head or own, reads_locks=uv)


def test_all_that_the_configuration_names_is_asked_for_once() -> None:
    python = PythonEnvironment(
        extras=("test",), groups=("Bench",), packages=("rich", "attrs"), requirements=("r.txt",)
    )

    found = ask(python, source(pyproject_toml=PROJECT, r_txt="click\n-c c.txt\n", c_txt="rich<9"))

    assert found.runtime == ("attrs", "pytest", "pyperf", "rich", "click")
    assert found.constraints == ("rich<9",)
    assert found.build == ("hatchling",)
    assert found.project == "bank"
    assert found.tree == ""


def test_nothing_else_in_the_tree_changes_the_question() -> None:
    one = source(pyproject_toml=f"{PROJECT}[tool.ruff]\nline-length = 9\n", a_py="1")

    assert ask(PythonEnvironment(), one) == ask(
        PythonEnvironment(), source("v1", pyproject_toml=PROJECT)
    )


@pytest.mark.parametrize(
    "more",
    [
        {"pyproject_toml": f"{PROJECT}[tool.uv]\nexclude-newer = 2025-01-01\n"},
        {"pyproject_toml": PROJECT, "uv_toml": "offline = true"},
        {"pyproject_toml": PROJECT.replace("hatchling", "hatchling==1")},
        {"pyproject_toml": PROJECT.replace("attrs", "attrs==1")},
    ],
)
def test_what_changes_the_answer_changes_the_question(more: dict[str, str]) -> None:
    before = ask(PythonEnvironment(), source(pyproject_toml=PROJECT))

    assert ask(PythonEnvironment(), source(**more)) != before


def test_base_is_measured_with_what_only_head_names() -> None:
    python = PythonEnvironment(extras=("test",), groups=("bench",), requirements=("r.txt",))
    base = source("v1", pyproject_toml='[project]\nname = "bank"\n')

    found = ask(python, base, source(pyproject_toml=PROJECT, r_txt="click"))

    assert found.runtime == ("pytest", "pyperf", "click")


@pytest.mark.parametrize(
    ("python", "message"),
    [
        (PythonEnvironment(extras=("tests",)), "python.extras: the project has no tests"),
        (PythonEnvironment(groups=("x",)), "python.groups: the project has no x"),
        (PythonEnvironment(requirements=("x.txt",)), "x.txt of HEAD: no such requirements file"),
    ],
)
def test_what_is_on_neither_side_is_an_error(python: PythonEnvironment, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        ask(python, source(pyproject_toml=PROJECT))

    assert str(caught.value).startswith(message)
    assert caught.value.detail


@pytest.mark.parametrize(
    "text",
    [
        "[build-system]\nrequires = []\n",
        '[project]\nname = "bank"\ndynamic = ["dependencies"]\n',
        f'{PROJECT}[tool.uv.sources]\nattrs = {{ git = "https://x" }}\n',
    ],
)
def test_what_only_a_backend_or_uv_knows_is_asked_of_the_whole_tree(text: str) -> None:
    found = ask(PythonEnvironment(extras=("test",)), source(pyproject_toml=text), uv=True)

    assert found.runtime == (".[test]",)
    assert found.tree == "tree of HEAD"


def test_without_uv_no_stranger_is_taken_for_a_package_of_its_sources() -> None:
    text = f"{PROJECT}[tool.uv.sources]\nattrs = {{ workspace = true }}\n"

    with pytest.raises(UsageError, match="known to uv alone") as caught:
        ask(PythonEnvironment(), source(pyproject_toml=text))

    assert "pip install uv" in caught.value.detail


def test_a_lock_file_is_taken_by_uv_only_and_only_for_what_it_holds() -> None:
    python = PythonEnvironment(extras=("test",), groups=("bench", "more"), packages=("rich",))
    head = source(pyproject_toml=f"{PROJECT}more = ['click']\n", uv_lock="x")
    base = source("v1", pyproject_toml=PROJECT, uv_lock="y")

    found = ask(python, base, head, uv=True)

    assert (found.lock, found.extras, found.groups) == (b"y", ("test",), ("bench",))
    assert found.runtime == ("click", "rich")
    assert found.files["uv.lock"] == b"y"
    assert ask(python, head).lock is None


def test_a_workspace_is_locked_with_its_folders() -> None:
    text = f"{PROJECT}[tool.uv.workspace]\nmembers = ['a']\n"

    assert ask(PythonEnvironment(), source(pyproject_toml=text, uv_lock="x"), uv=True).tree


def test_a_project_that_is_no_package_has_only_dependencies() -> None:
    python = PythonEnvironment(install=False, packages=("rich",))

    assert ask(python, source()).runtime == ("rich",)
    assert ask(python, source()).build == ()
    with pytest.raises(UsageError, match="to install") as caught:
        ask(PythonEnvironment(), source())
    assert "install = false" in caught.value.detail
