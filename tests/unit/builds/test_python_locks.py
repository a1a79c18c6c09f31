from __future__ import annotations

import pytest

from countci.builds.python.locks import Lock, read_lock
from countci.errors import UsageError

POETRY = """
[[package]]
name = "attrs"
version = "23.1.0"
description = "Classes Without Boilerplate"
optional = false
python-versions = ">=3.7"
groups = ["main"]
files = [{file = "attrs-23.1.0-py3-none-any.whl", hash = "sha256:00"}]

[[package]]
name = "Colorama"
version = "0.4.6"
optional = false
groups = ["dev"]
markers = "sys_platform == 'win32'"
files = []

[package.dependencies]
attrs = "*"

[metadata]
lock-version = "2.1"
content-hash = "00"
"""
PDM = """
[metadata]
groups = ["default", "dev"]
lock_version = "4.5.0"

[[package]]
name = "coverage"
version = "7.5.0"
requires_python = ">=3.8"
groups = ["dev"]
marker = "python_version < '4'"

[[package]]
name = "coverage"
version = "7.5.0"
extras = ["toml"]
groups = ["dev"]
dependencies = ["coverage==7.5.0"]
"""


def lines(**files: str) -> tuple[str, ...]:
    return read(**files).lines


def read(**files: str) -> Lock:
    tree = {f"{name}.lock": text.encode() for name, text in files.items()}
    return read_lock(tree.get, where="HEAD")


def package(name: str, version: str, more: str = "") -> str:
    return f'[[package]]\nname = "{name}"\nversion = "{version}"\n{more}\n'


def test_each_package_is_held_to_its_version_wherever_it_is_wanted() -> None:
    assert read(poetry=POETRY) == Lock(
        file="poetry.lock", lines=("attrs==23.1.0", "Colorama==0.4.6")
    )
    assert read(pdm=PDM) == Lock(file="pdm.lock", lines=("coverage==7.5.0",))


def test_without_a_lock_file_nothing_is_held() -> None:
    assert read() == Lock()


def test_an_empty_lock_file_holds_nothing() -> None:
    assert read(poetry="package = []\n") == Lock(file="poetry.lock")


def test_poetrys_lock_file_goes_before_that_of_pdm() -> None:
    assert read(poetry=POETRY, pdm=PDM).file == "poetry.lock"


def test_two_versions_keep_the_conditions_that_tell_them_apart() -> None:
    old = package("numpy", "1.26", "markers = \"python_version < '3.12'\"")
    new = package(
        "Numpy",
        "2.0",
        "markers = {main = \"python_version >= '3.12'\", dev = \"python_version >= '3.13'\"}",
    )

    assert lines(poetry=old + new) == (
        "numpy==1.26 ; python_version < '3.12'",
        "Numpy==2.0 ; (python_version >= '3.12') or (python_version >= '3.13')",
    )


def test_two_versions_that_nothing_tells_apart_are_not_held() -> None:
    assert lines(poetry=package("numpy", "1.26") + package("numpy", "2.0")) == ()


@pytest.mark.parametrize(
    ("file", "more", "line"),
    [
        (
            "poetry",
            (
                "[package.source]\ntype = 'git'\nurl = 'https://x/a.git'\nreference = 'main'\n"
                "resolved_reference = '1234'"
            ),
            "a @ git+https://x/a.git@1234",
        ),
        ("pdm", "git = 'https://x/a.git'\nrevision = '1234'", "a @ git+https://x/a.git@1234"),
        (
            "poetry",
            "[package.source]\ntype = 'url'\nurl = 'https://x/a.whl'",
            "a @ https://x/a.whl",
        ),
        ("pdm", "url = 'https://x/a.whl'", "a @ https://x/a.whl"),
        ("poetry", "[package.source]\ntype = 'legacy'\nurl = 'https://mirror/simple'", "a==1"),
    ],
)
def test_what_is_from_elsewhere_is_held_to_the_place_that_the_file_names(
    file: str, more: str, line: str
) -> None:
    assert lines(**{file: package("a", "1", more)}) == (line,)


@pytest.mark.parametrize(
    ("file", "more"),
    [
        ("poetry", "[package.source]\ntype = 'directory'\nurl = 'libs/a'"),
        ("pdm", "path = './libs/a'"),
    ],
)
def test_a_folder_of_the_project_is_held_to_nothing(file: str, more: str) -> None:
    assert lines(**{file: package("a", "1", more)}) == ()


@pytest.mark.parametrize("text", ["[[package]\n", "[[package]]\nname = 7\n", "package = 3\n"])
def test_a_broken_lock_file_is_an_error_with_its_place(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        read(poetry=text)

    assert caught.value.where.startswith("poetry.lock of HEAD")
