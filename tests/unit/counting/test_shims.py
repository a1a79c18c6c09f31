"""Commands that would count another program than the one that is meant."""

from pathlib import Path

import pytest

from countci.counting.shims import Look, refuse, shim_among
from countci.errors import UsageError

FILES = {
    "/home/a/.pyenv/shims/python3": b"#!/usr/bin/env bash\n",
    "/home/a/.pyenv/version": b"3.12.1\n",
    "/home/a/.pyenv/versions/3.12.1/bin/python3": b"\x7fELF",
    "/home/a/.asdf/shims/node": b"#!/usr/bin/env bash\n",
    "/usr/bin/python3.11": b"\x7fELF",
    "/usr/bin/true": b"\x7fELF",
    "/bin/isolated": b"#!/usr/bin/python3.11 -Es\nimport sys\n",
    "/bin/through-env": b"#!/usr/bin/env python3\nimport sys\n",
    "/bin/itself": b"#!/bin/itself\n",
}
NAMES = {
    "python3": "/home/a/.pyenv/shims/python3",
    "node": "/home/a/.asdf/shims/node",
    "python3.11": "/usr/bin/python3.11",
}


def read(path: Path) -> bytes | None:
    return FILES.get(str(path))


def which(name: str) -> str | None:
    return name if name in FILES else NAMES.get(name)


def refused(line: str) -> UsageError:
    with pytest.raises(UsageError) as caught:
        refuse(line.split(), Look(which=which, read=read))
    return caught.value


@pytest.mark.parametrize("line", ["python3 q.py", "env X=1 python3 q.py", "/bin/through-env"])
def test_a_shim_is_refused_with_the_program_behind_it(line: str) -> None:
    error = refused(line)

    assert error.problem.startswith("/home/a/.pyenv/shims/python3 is a shim")
    assert error.detail == "write /home/a/.pyenv/versions/3.12.1/bin/python3 instead of python3"


def test_a_shim_with_nothing_known_behind_it_is_refused_with_what_to_ask() -> None:
    assert refused("node q.js").detail == "write the path that `pyenv which node` prints"


@pytest.mark.parametrize(
    "line", ["uv run mytool", "uvx mytool", "poetry run x", "conda run x", "make bench", "tox"]
)
def test_a_task_runner_is_refused(line: str) -> None:
    assert "write the program's own command" in refused(line).detail


@pytest.mark.parametrize(
    "line",
    [
        *("python3.11 -I q.py", "python3.11 -Es q.py", "python3.11 -X dev -bE -c pass"),
        *("/bin/isolated 3", "python3.11 -IW ignore -m x", "env -S python3.11 -I q.py"),
    ],
)
def test_a_python_that_ignores_the_hash_seed_is_refused(line: str) -> None:
    assert "ignores PYTHONHASHSEED" in refused(line).problem


@pytest.mark.parametrize(
    "line",
    [
        *("python3.11 q.py -I", "python3.11 -c -E", "python3.11 -m I", "python3.11 -sP q.py"),
        *("python3.11 -W Ignore q.py", "python3.11 -WError q.py", "python3.11 -"),
        *("/usr/bin/true -I", "./bank ask 3", "uv pip list", "env", "/bin/itself", "missing"),
    ],
)
def test_everything_else_is_let_be(line: str) -> None:
    refuse(line.split(), Look(which=which, read=read))


def test_a_shim_inside_a_shell_is_found_among_the_programs() -> None:
    assert shim_among(["sh -c x", "bash /a/.pyenv/shims/python3 -c 1"]) is not None
    assert shim_among(["sh -c x", "/usr/bin/python3 -c 'a\n/shims/'"]) is None
