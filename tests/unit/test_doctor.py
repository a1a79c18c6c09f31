"""`countci doctor`: each check by its inputs, and what is printed of them."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from countci import doctor
from countci.cli.doctor import doctor as command
from countci.doctor import Examination, Finding, Level, examine, folder, machine, render, tools
from countci.model import Fingerprint

FINGERPRINT = Fingerprint(
    counter="1",
    valgrind="3.19.0",
    libc="glibc 2.36",
    machine="x86_64",
    cpu="x86-64-v3",
    stage="/cache/stage",
)
GOOD = Finding(name="git", level=Level.OK, text="git version 2.39.5")
BUSY = machine.load(3.0, 2)
MISSING = tools.valgrind(None)
MOUNTS = """overlay / overlay rw,lowerdir=/a 0 0
tmpfs /run/user/0 tmpfs rw 0 0
/dev/sdb1 /home ext4 rw 0 0
server:/x /home/my\\040work nfs4 rw 0 0
broken
"""


@pytest.mark.parametrize(
    ("printed", "level"),
    [
        ("valgrind-3.19.0", Level.OK),
        ("valgrind-3.27.1.GIT", Level.OK),
        ("valgrind-3.18.1", Level.NOTE),
        ("valgrind-3.15.0", Level.PROBLEM),
        ("valgrind", Level.PROBLEM),
        (None, Level.PROBLEM),
    ],
)
def test_valgrind_is_judged_by_its_version(printed: str | None, level: Level) -> None:
    assert tools.valgrind(printed).level is level


def test_missing_valgrind_names_the_command_that_installs_it() -> None:
    assert tools.valgrind(None).remedy == "apt-get install valgrind"


def test_failed_trial_shows_the_last_line_that_valgrind_printed() -> None:
    found = tools.trial(1, "==7== first\nvalgrind: fatal: no memory\n")

    assert found.level is Level.PROBLEM
    assert "valgrind: fatal: no memory" in found.text
    assert tools.trial(0, "").level is Level.OK
    assert "printed nothing" in tools.trial(-9, "").text


def test_missing_symbols_are_only_noted() -> None:
    assert tools.symbols(debug_files=False).level is Level.NOTE
    assert tools.symbols(debug_files=True).level is Level.OK


def test_any_compiler_will_do() -> None:
    assert tools.compiler({"clang": "/usr/bin/clang"}).text == "/usr/bin/clang"
    assert tools.compiler({}).remedy == "apt-get install gcc"


def test_what_only_some_measurements_need_is_noted_with_its_use_and_package() -> None:
    found = tools.helper("strace", None, "no system calls", "strace")

    assert (found.level, found.remedy) == (Level.NOTE, "apt-get install strace")
    assert found.text.endswith("no system calls")
    assert tools.helper("strace", "/usr/bin/strace", "", "").level is Level.OK


@pytest.mark.parametrize(
    ("printed", "level"),
    [
        ("git version 2.39.5", Level.OK),
        ("git version 2.25.1", Level.NOTE),
        (None, Level.PROBLEM),
    ],
)
def test_git_is_judged_by_its_version(printed: str | None, level: Level) -> None:
    assert tools.git(printed).level is level


def test_shim_is_told_from_an_interpreter_and_the_real_one_named() -> None:
    shim = tools.interpreter("/root/.pyenv/shims/python3", "/root/.pyenv/versions/3.12/bin/python3")

    assert shim.level is Level.NOTE
    assert shim.remedy.endswith("/root/.pyenv/versions/3.12/bin")
    assert tools.interpreter("/usr/bin/python3", "/usr/bin/python3").level is Level.OK
    assert tools.interpreter(None, None).level is Level.NOTE


@pytest.mark.parametrize(
    ("free", "level"), [(2**34, Level.OK), (2**30, Level.NOTE), (2**20, Level.PROBLEM)]
)
def test_free_space_is_judged_by_what_two_builds_need(free: int, level: Level) -> None:
    assert tools.room(free).level is level


def test_load_is_judged_beside_the_number_of_cores() -> None:
    assert machine.load(3.0, 2).level is Level.NOTE
    assert machine.load(3.0, 16).level is Level.OK
    assert machine.load(0.1, 1).text == "0.1 on 1 core"


@pytest.mark.parametrize(
    ("cpu_max", "level", "text"),
    [
        ("50000 100000\n", Level.NOTE, "0.5 of a core"),
        ("150000 100000\n", Level.OK, "1.5 cores"),
        ("max 100000\n", Level.OK, "none"),
        (None, Level.OK, "none"),
        ("", Level.OK, "none"),
    ],
)
def test_quota_below_one_core_is_noted(cpu_max: str | None, level: Level, text: str) -> None:
    found = machine.quota(cpu_max)

    assert found.level is level
    assert found.text.startswith(text)


def test_missing_schedstat_is_noted() -> None:
    assert machine.run_queue(known=False).level is Level.NOTE
    assert machine.run_queue(known=True).level is Level.OK


def test_avx512_is_read_from_the_flags_alone() -> None:
    assert machine.vectors("flags\t\t: fpu avx2 avx512f\n").level is Level.NOTE
    assert machine.vectors("model name : avx512f\nflags : fpu avx2\n").level is Level.OK
    assert machine.vectors("").level is Level.OK


def test_unwritable_tmpdir_is_noted() -> None:
    assert machine.temporary("/nowhere", writable=False).remedy == "unset TMPDIR"
    assert machine.temporary("/tmp", writable=True).level is Level.OK  # noqa: S108 - a name only
    assert machine.temporary(None, writable=False).level is Level.OK


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/root/.cache", "overlay"),
        ("/home/me/.cache", "ext4"),
        ("/home/my work/.cache", "nfs4"),
        ("/homes", "overlay"),
        ("/run/user/0/x", "tmpfs"),
    ],
)
def test_file_system_is_that_of_the_innermost_mount(path: str, kind: str) -> None:
    assert folder.file_system(Path(path), MOUNTS) == kind


def test_file_system_without_mounts_is_unknown() -> None:
    assert folder.file_system(Path("/x"), "") == "unknown"


@pytest.mark.parametrize(
    ("kind", "failure", "level"),
    [
        ("ext4", "", Level.OK),
        ("overlay", "", Level.OK),
        ("tmpfs", "", Level.NOTE),
        ("nfs4", "", Level.NOTE),
        ("ext4", "permission denied", Level.PROBLEM),
    ],
)
def test_cache_folder_is_judged_by_its_file_system(kind: str, failure: str, level: Level) -> None:
    assert folder.folder(Path("/cache"), kind, failure).level is level


def test_rename_is_tried_in_the_nearest_folder_that_is_there(tmp_path: Path) -> None:
    assert folder.can_rename(tmp_path / "not" / "yet") == ""
    assert list(tmp_path.iterdir()) == []


def test_rename_that_fails_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_before: Path, _after: Path) -> None:
        raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))

    monkeypatch.setattr(Path, "rename", refuse)

    assert folder.can_rename(tmp_path) == "invalid cross-device link"


def test_text_holds_level_name_and_remedy_of_each_finding() -> None:
    text = render(Examination(fingerprint=FINGERPRINT, findings=(GOOD, BUSY, MISSING)), width=80)

    assert "ok       git         git version 2.39.5\n" in text
    assert "problem  valgrind    not there: nothing can be counted\n" in text
    assert "→ apt-get install valgrind\n" in text
    assert FINGERPRINT.digest in text
    assert text.endswith("1 problem, 1 note: nothing can be measured\n")
    assert max(map(len, text.splitlines())) <= 80


def test_text_without_problems_says_that_nothing_stops_a_measurement() -> None:
    text = render(Examination(fingerprint=None, findings=(GOOD,)), width=80)

    assert text.splitlines()[0].startswith("ok")
    assert text.endswith("nothing stops a measurement; 0 notes\n")


def test_commands_in_a_remedy_are_never_broken() -> None:
    long = Finding(name="x", level=Level.NOTE, text="t", remedy="/a" * 50)

    assert "/a" * 50 in render(Examination(fingerprint=None, findings=(long,)), width=40)


@pytest.mark.parametrize(("findings", "code"), [((GOOD, BUSY), 0), ((GOOD, MISSING), 3)])
def test_exit_code_tells_whether_something_stops_a_measurement(
    findings: tuple[Finding, ...], code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    examination = Examination(fingerprint=FINGERPRINT, findings=findings)
    monkeypatch.setattr(doctor, "examine", lambda *_: examination)

    result = CliRunner().invoke(command, ["--format", "json"], standalone_mode=False)

    assert result.return_value == code
    assert msgspec.json.decode(result.output, type=Examination) == examination
    assert json.loads(result.output)["findings"][0]["level"] == "ok"


def test_examination_asks_where_the_cache_lies_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Path] = []

    def listen(_where: Path, _env: object, cache: Path) -> Examination:
        asked.append(cache)
        return Examination(fingerprint=None, findings=())

    monkeypatch.setattr(doctor, "examine", listen)
    for name, value in (("XDG_CACHE_HOME", "/x"), ("XDG_CACHE_HOME", ""), ("HOME", "/h")):
        monkeypatch.setenv(name, value)
        CliRunner().invoke(command, [])
    CliRunner().invoke(command, ["--cache-dir", "/c"])

    assert asked[0] == Path("/x/countci")
    assert asked[2:] == [Path("/h/.cache/countci"), Path("/c")]


def test_machine_without_programs_is_examined_to_the_end(tmp_path: Path) -> None:
    examination = examine(tmp_path, {"PATH": str(tmp_path)}, tmp_path / "cache")

    found = {finding.name: finding for finding in examination.findings}
    assert examination.fingerprint is None
    assert examination.stopped
    stopping = {name for name, finding in found.items() if finding.level is Level.PROBLEM}
    assert stopping == {"valgrind", "git", "repository"}
    assert found["compiler"].level is Level.NOTE
    assert found["cache"].level in (Level.OK, Level.NOTE)
    assert not (tmp_path / "cache").exists()


def test_programs_are_examined_by_what_they_print(tmp_path: Path) -> None:
    for name, printed in (("valgrind", "valgrind-3.15.0"), ("git", "git version 1.7.1")):
        (tmp_path / name).write_text(f"#!/bin/sh\necho {printed}\n[ $1 != rev-parse ]\n")
        (tmp_path / name).chmod(0o755)

    examination = examine(tmp_path, {"PATH": str(tmp_path)}, tmp_path)

    found = {finding.name: finding for finding in examination.findings}
    assert found["valgrind"].level is Level.PROBLEM
    assert "3.15.0" in found["valgrind"].text
    assert found["git"].level is Level.NOTE
    assert found["counting"].level is Level.OK
