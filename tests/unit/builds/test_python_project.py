from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci.builds.python.project import normal, read_project
from countci.errors import UsageError

FULL = """
[project]
name = "My.Bank"
dependencies = ["attrs>=23"]
[project.optional-dependencies]
test = ["pytest"]
all = ["my_bank[test, Docs]", "rich"]
docs = ["sphinx"]
loop = ["my-bank[loop]", "x"]
[dependency-groups]
bench = ["pyperf", {include-group = "Test_Group"}]
test-group = ["pytest"]
[build-system]
requires = ["setuptools>=61", "Cython"]
"""


def test_the_standard_tables_are_read() -> None:
    project = read_project(FULL.encode(), where="HEAD")

    assert project.name == "my-bank"
    assert project.dependencies == ("attrs>=23",)
    assert project.build == ("setuptools>=61", "Cython")


def test_an_extra_of_extras_asks_no_index_for_the_project_itself() -> None:
    extras = read_project(FULL.encode(), where="HEAD").extras

    assert extras["all"] == ("pytest", "sphinx", "rich")
    assert extras["loop"][-1] == "x"  # and it ends


def test_a_group_has_those_that_it_includes() -> None:
    groups = read_project(FULL.encode(), where="HEAD").groups

    assert groups["bench"] == ("pyperf", "pytest")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[dependency-groups]\na = [{include-group = 'a'}]", "the group a includes itself"),
        ("[dependency-groups]\na = [{include-group = 'b'}]", "the group b is included, and isn't"),
        ("[project]\ndependencies = 'x'", "Expected `array`"),
        ("[project\n", "pyproject.toml of HEAD:1"),
    ],
)
def test_a_malformed_file_is_named(text: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_project(text.encode(), where="HEAD")

    assert message in str(caught.value)
    assert "pyproject.toml of HEAD" in caught.value.where


@pytest.mark.parametrize("content", [None, b"", b"[tool.ruff]\n"])
def test_a_project_that_says_nothing_is_built_by_setuptools(content: bytes | None) -> None:
    project = read_project(content, where="HEAD")

    assert project.dependencies is None
    assert project.build == ("setuptools",)


@given(st.integers(0, len(FULL)), st.binary(max_size=4), st.integers(0, 30))
def test_a_damaged_file_is_read_or_refused(at: int, junk: bytes, cut: int) -> None:
    damaged = FULL.encode()[:at] + junk + FULL.encode()[at + cut :]

    where = ""
    try:
        read_project(damaged, where="HEAD")
    except UsageError as error:
        where = error.where

    assert not where or where.startswith("pyproject.toml of HEAD")


@given(st.text("aB-_.1", min_size=1))
def test_a_name_has_one_spelling(name: str) -> None:
    assert normal(normal(name).replace("-", "__").upper()) == normal(name)
