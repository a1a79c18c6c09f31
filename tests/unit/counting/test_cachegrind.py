"""The command line, the environment, the fingerprint, the failures."""

from pathlib import Path

import pytest

from countci.counting import cachegrind, failures
from countci.counting.environment import environment, with_scratch
from countci.counting.fingerprint import avx512, tier
from countci.errors import MeasureError
from countci.process import Command, Finished
from countci.units import Seconds

FIRST = "cx16 lahf_lm popcnt pni sse4_1 sse4_2 ssse3 lm"
SECOND = "avx avx2 bmi1 bmi2 f16c fma abm movbe xsave"


TOOLS: tuple[cachegrind.Tool, ...] = ("cachegrind", "callgrind")


def command(*argv: str, cwd: Path = Path("/")) -> Command:
    return Command(argv=argv, env={"PATH": "/bin"}, cwd=cwd, timeout=Seconds(2.0))


def test_the_command_line_is_exact() -> None:
    wrapped = cachegrind.wrap(
        command("sh", "-c", "x"), out=Path("/runs/50%"), trace=False, valgrind="/usr/bin/valgrind"
    )

    assert wrapped.argv == (
        "/usr/bin/valgrind",
        "--tool=cachegrind",
        "--cache-sim=no",
        "--branch-sim=no",
        "--vex-guest-chase=no",
        "--trace-children=yes",
        "--fair-sched=try",
        "--vgdb=no",
        "--cachegrind-out-file=/runs/50%%/cg.%p",
        "--log-file=/runs/50%%/log",
        "--command-line-only=yes",
        "/bin/sh",
        "-c",
        "x",
    )
    assert wrapped.timeout == 50.0


def test_callgrind_is_given_the_same_flags_and_more_time() -> None:
    by = [
        cachegrind.wrap(command("sh"), out=Path("/r"), trace=False, valgrind="v", tool=tool)
        for tool in TOOLS
    ]

    assert set(by[0].argv) ^ set(by[1].argv) == {
        "--tool=cachegrind",
        "--cachegrind-out-file=/r/cg.%p",
        "--tool=callgrind",
        "--callgrind-out-file=/r/cg.%p",
        "--compress-strings=no",
        "--compress-pos=no",
        "--separate-recs=1",
    }
    assert by[1].timeout == 160.0


def test_a_traced_run_differs_in_one_flag() -> None:
    traced, plain = (
        cachegrind.wrap(command("sh"), out=Path("/runs"), trace=trace, valgrind="v").argv
        for trace in (True, False)
    )

    assert set(traced) ^ set(plain) == {"--trace-syscalls=yes"}


def test_a_program_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(MeasureError, match=r"no such program: build/bank"):
        cachegrind.wrap(
            command("build/bank", cwd=tmp_path), out=tmp_path, trace=False, valgrind="v"
        )


def test_without_valgrind_the_error_says_how_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(MeasureError) as caught:
        cachegrind.find({"PATH": str(tmp_path)}, tmp_path)

    assert caught.value.detail == "apt-get install valgrind"


def test_output_files_are_found_by_process(tmp_path: Path) -> None:
    for name in ("cg.12", "cg.7", "log", "stdout"):
        (tmp_path / name).touch()

    assert cachegrind.outputs(tmp_path) == {7: tmp_path / "cg.7", 12: tmp_path / "cg.12"}


def test_nothing_of_the_users_environment_but_the_path_gets_through() -> None:
    user = {"PATH": "/x", "HOME": "/home/a", "GITHUB_TOKEN": "secret", "LC_ALL": "de_DE", "CI": "1"}
    env = environment(user, home=Path("/empty"))

    assert env["PATH"] == "/x"
    assert env["HOME"] == "/empty"
    assert (env["LC_ALL"], env["TZ"], env["PYTHONHASHSEED"]) == ("C.UTF-8", "UTC", "0")
    assert not {"GITHUB_TOKEN", "CI"} & env.keys()


def test_temporary_files_go_to_the_run_unless_the_query_says_otherwise() -> None:
    assert with_scratch({}, Path("/run/tmp")) == {"TMPDIR": "/run/tmp"}
    assert with_scratch({"TMPDIR": "/x"}, Path("/run/tmp")) == {"TMPDIR": "/x"}


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        (f"{FIRST} {SECOND} avx512f", "x86-64-v3"),
        (f"{FIRST} {SECOND}", "x86-64-v3"),
        (f"{FIRST} avx", "x86-64-v2"),
        ("lm sse2", "x86-64"),
    ],
)
def test_the_tier_of_a_processor_is_avx2_at_most(flags: str, expected: str) -> None:
    assert tier(f"processor\t: 0\nflags\t\t: {flags}\n\nprocessor\t: 1\n") == expected


def test_another_architecture_is_its_features() -> None:
    assert tier("processor : 0\nFeatures : fp asimd\n") == "asimd fp"
    assert tier("") == "unknown"


def test_avx512_is_seen() -> None:
    assert avx512("flags : lm avx512f avx512dq")
    assert not avx512("flags : lm avx2")


def refused(status: int, *, log: str = "", stderr: str = "") -> MeasureError:
    finished = Finished(status=status, stdout=b"", stderr=stderr, elapsed=Seconds(1.0))
    with pytest.raises(MeasureError) as caught:
        failures.check(finished, log, command("./bank", "3"))
    return caught.value


def test_a_failed_program_shows_the_end_of_its_own_output() -> None:
    error = refused(3, stderr="first\nno such branch\n")

    assert (error.problem, error.where) == ("exit status 3", "./bank 3")
    assert error.detail.endswith("no such branch")


def test_a_crash_is_named() -> None:
    assert refused(-11).problem == "killed by signal 11 (SIGSEGV)"


@pytest.mark.parametrize(
    ("status", "log"), [(-4, ""), (1, "==7== valgrind: Unrecognised instruction at address 0x1")]
)
def test_an_unknown_instruction_is_called_valgrinds_limit(status: int, log: str) -> None:
    error = refused(status, log=log)

    assert "valgrind can't run an instruction" in error.problem
    assert "-march=native" in error.detail
    assert "-mno-avx512f" in error.detail


def test_valgrinds_own_death_shows_its_last_words() -> None:
    log = "==7== Valgrind: debuginfo reader: odd\n==7== Valgrind: I can't recover.  Giving up.\n"
    error = refused(1, log=log, stderr="the program's own")

    assert error.problem == "valgrind itself gave up"
    assert "-gsplit-dwarf" in error.detail
    assert "-gdwarf-4" in error.detail
    assert error.detail.endswith("Valgrind: I can't recover.  Giving up.")
