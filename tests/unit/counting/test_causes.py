from __future__ import annotations

import pytest

from countci.counting.causes import causes

MALLOC = "SYSCALL[1138,1](318) sys_getrandom ( 0x4b49478, 8, 1 )[sync] --> Success(0x8)"
FORK = "SYSCALL[7,1](56) sys_clone ( 1200011, 0x0, 0x0, 0x4a2aa10, 0x0 )   clone(fork): process 7"
THREAD = "SYSCALL[7,1](56) sys_clone ( 3d0f00, 0x5229f70, 0x522a990, 0x522a990, 0x522a6c0 ) -->"


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("SYSCALL[1,1](201) sys_time ( 0x0 )[sync] --> Success(0x6b0e1123)", "clock"),
        ("SYSCALL[1,1](96) sys_gettimeofday ( 0x1fff000640, 0x0 )[sync] --> Success", "clock"),
        ("SYSCALL[1,1](228) sys_clock_gettime( 1, 0x1fff000630 )[sync] --> Success", "clock"),
        ("SYSCALL[1,1](100) sys_times ( 0x1fff000630 )[sync] --> Success", "clock"),
        ("SYSCALL[1,1](318) sys_getrandom ( 0x1fff00065c, 4, 0 )[sync] --> Success", "random"),
        ("SYSCALL[1,1](318) sys_getrandom ( 0xa843b0, 24, 1 )[sync] --> Success", "random"),
        ("SYSCALL[1,1](257) sys_openat ( -100, 0x4a(/dev/urandom), 0 ) --> [async]", "random"),
        ("SYSCALL[1,1](39) sys_getpid ()[sync] --> Success(0x433)", "pid"),
        (THREAD, "threads"),
    ],
)
def test_what_differs_from_run_to_run_is_named(line: str, cause: str) -> None:
    assert causes(f"{MALLOC}\n{line}\n".encode()) == (cause,)


@pytest.mark.parametrize(
    "line",
    [
        MALLOC,
        FORK,
        "SYSCALL[1,1](35) sys_nanosleep ( 0x1ffe, 0x1ffe ) --> [async] ...",
        "SYSCALL[1,1](38) sys_setitimer ( 0, 0x1ffe, 0x0 )[sync] --> Success(0x0)",
        "SYSCALL[1,1](186) sys_gettid ()[sync] --> Success(0x472)",
        "SYSCALL[1,1](229) sys_clock_getres( 1, 0x1fff )[sync] --> Success(0x0)",
        "SYSCALL[1,1](257) sys_openat ( -100, 0x4a(/home/random), 0 ) --> [async]",
    ],
)
def test_what_every_program_does_is_no_cause(line: str) -> None:
    assert causes(line.encode()) == ()


def test_several_causes_stand_in_one_order() -> None:
    log = b"sys_getpid ()\nsys_time ( 0x0 )\nsys_getrandom ( 0x1, 16, 0 )"

    assert causes(log) == ("clock", "random", "pid")
