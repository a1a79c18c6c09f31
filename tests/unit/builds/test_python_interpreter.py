from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from countci.builds.python import interpreter
from countci.errors import UsageError

from .python_pair import write_program

ENV = {"PATH": "/usr/bin:/bin"}


def test_behind_a_virtual_environment_is_the_real_one() -> None:
    found = interpreter(sys.executable, ENV)

    assert found.path == os.path.realpath(sys._base_executable)  # type: ignore[attr-defined]
    assert found.version == sys.version


def test_a_shim_is_seen_through(tmp_path: Path) -> None:
    write_program(tmp_path / "python9", f'#!/bin/sh\nexec {sys.executable} "$@"\n')

    found = interpreter("python9", {"PATH": f"{tmp_path}:/usr/bin:/bin"})

    assert found == interpreter(sys.executable, ENV)


def test_a_shim_that_refuses_is_shown_with_what_to_write(tmp_path: Path) -> None:
    shim = write_program(tmp_path / "python9", "#!/bin/sh\necho python9: not set >&2\nexit 127\n")

    with pytest.raises(UsageError, match="no interpreter that starts") as caught:
        interpreter("python9", {"PATH": str(tmp_path)})

    assert caught.value.where == "python.interpreter: python9"
    assert "python9: not set" in caught.value.detail
    assert str(shim) in caught.value.detail


@pytest.mark.parametrize("said", ["", "hello", "[]", "{}"])
def test_a_program_that_is_no_interpreter_is_refused(tmp_path: Path, said: str) -> None:
    program = write_program(tmp_path / "p", f"#!/bin/sh\necho '{said}'\n")

    with pytest.raises(UsageError, match="no interpreter that starts"):
        interpreter(str(program), ENV)


def test_a_missing_one_says_what_to_type() -> None:
    with pytest.raises(UsageError, match="no such interpreter") as caught:
        interpreter("python0", ENV)

    assert "interpreter =" in caught.value.detail


def test_its_identity_changes_with_its_file(tmp_path: Path) -> None:
    path = tmp_path / "python3"
    said = f'{{"path": "{path}", "version": "3.11", "library": "{tmp_path}/lib.so", "pip": ""}}'
    write_program(path, f"#!/bin/sh\necho '{said}'\n")
    before = interpreter(str(path), ENV).identity

    os.utime(path, (1, 1))
    touched = interpreter(str(path), ENV).identity
    (tmp_path / "lib.so").write_text("x")
    replaced = interpreter(str(path), ENV).identity

    assert len({str(each) for each in (before, touched, replaced)}) == 3
