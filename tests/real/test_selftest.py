"""`countci selftest`: the instrument proves itself on this machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


def selftest(cache: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Run it, its cache below `cache`."""
    return subprocess.run(
        [sys.executable, "-m", "countci", "selftest"],
        cwd=cache,
        env={**os.environ, "XDG_CACHE_HOME": str(cache), **env},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_no_op_reads_0_half_a_percent_passes_and_one_and_a_half_fail(tmp_path: Path) -> None:
    done = selftest(tmp_path)

    assert done.returncode == 0, done.stderr
    lines = done.stdout.replace("\N{NO-BREAK SPACE}", " ").splitlines()
    assert [line.partition(":")[2].strip() for line in lines] == [
        "0 % by proof, passes, as it should",
        "0 %, passes, as it should",
        "+0.50 %, passes, as it should",
        "+1.50 %, fails, as it should",
    ]
    assert not list((tmp_path / "countci").iterdir()), "everything is deleted again"


def test_without_a_compiler_it_says_so(tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("git", "valgrind"):
        if found := shutil.which(name):
            (programs / name).symlink_to(found)

    done = selftest(tmp_path, PATH=str(programs))

    assert done.returncode == 3
    assert done.stdout == ""
    assert "no C compiler" in done.stderr
    assert "apt-get install gcc" in done.stderr


def test_a_compiler_that_makes_another_program_is_an_error(tmp_path: Path) -> None:
    programs, real = tmp_path / "bin", shutil.which("cc")
    programs.mkdir()
    wrapper = programs / "cc"
    wrapper.write_text(
        f'#!/bin/sh\nsed -i "s/STEPS 10150/STEPS 10000/" program.c\nexec {real} "$@"\n'
    )
    wrapper.chmod(0o755)

    done = selftest(tmp_path, PATH=f"{programs}:{os.environ['PATH']}")

    assert done.returncode == 3
    assert "1 of 4 came out wrong" in done.stderr
    assert "but should be +1.50" in done.stderr
