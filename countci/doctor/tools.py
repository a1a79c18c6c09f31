"""The programs that a measurement needs. Pure: what was found is an argument."""

from __future__ import annotations

import re

from countci.doctor.finding import Finding, note, ok, problem
from countci.units import show_bytes

# `--vex-guest-chase=no`, without which short conditions are counted that never ran, came with 3.16.
_VALGRIND_NEEDED = (3, 16)
_VALGRIND_TRIED = (3, 19)
# `GIT_CONFIG_GLOBAL`, by which a check-out is the same for everybody, came with 2.32.
_GIT_TRIED = (2, 32)
_COMPILERS = ("cc", "gcc", "clang")


def version(text: str) -> tuple[int, int] | None:
    """Return the first `MAJOR.MINOR` in what a program prints of its version."""
    found = re.search(r"(\d+)\.(\d+)", text)
    return (int(found[1]), int(found[2])) if found else None


def valgrind(printed: str | None) -> Finding:
    """Judge what `valgrind --version` printed; None where there is no valgrind."""
    if printed is None:
        return problem("valgrind", "not there: nothing can be counted", "apt-get install valgrind")
    known = version(printed)
    if known is None:
        return problem("valgrind", f"its version {printed!r} is no version", "install another one")
    if known < _VALGRIND_NEEDED:
        return problem(
            "valgrind", f"{printed} is too old: it can't count exactly", "install 3.19 or later"
        )
    if known < _VALGRIND_TRIED:
        return note("valgrind", f"{printed} was never tried with countci", "install 3.19 or later")
    return ok("valgrind", printed)


def trial(status: int, stderr: str) -> Finding:
    """Judge a run of cachegrind on the smallest program there is."""
    if status == 0:
        return ok("counting", "cachegrind ran a program to its end")
    last = stderr.strip().splitlines()[-1:] or ["it printed nothing"]
    return problem(
        "counting",
        f"cachegrind failed on a program that does nothing ({status}): {last[0]}",
        "see what it says: valgrind --tool=cachegrind --cachegrind-out-file=/dev/null true",
    )


def symbols(*, debug_files: bool) -> Finding:
    """Judge whether functions of the C library will have names."""
    if debug_files:
        return ok("symbols", "the C library's functions have names")
    return note(
        "symbols",
        "the C library's own functions have no names; counts are the same",
        "apt-get install libc6-dbg",
    )


def compiler(found: dict[str, str]) -> Finding:
    """Judge the C compilers on PATH, each with its path by its name."""
    for name in _COMPILERS:
        if name in found:
            return ok("compiler", found[name])
    return note(
        "compiler",
        f"none of {', '.join(_COMPILERS)} is on PATH: a project in C can't be built",
        "apt-get install gcc",
    )


def helper(name: str, path: str | None, use: str, package: str) -> Finding:
    """Judge a program that only some measurements need.

    Args:
        name: of the program.
        path: where it is; None where it isn't.
        use: what can't be done without it.
        package: what it comes in.
    """
    if path is not None:
        return ok(name, path)
    return note(name, f"not on PATH: {use}", f"apt-get install {package}")


def git(printed: str | None) -> Finding:
    """Judge what `git --version` printed; None where there is no git."""
    if printed is None:
        return problem("git", "not there: no revision can be read", "apt-get install git")
    known = version(printed)
    if known is None or known < _GIT_TRIED:
        return note("git", f"{printed} was never tried with countci", "install 2.32 or later")
    return ok("git", printed)


def interpreter(path: str | None, real: str | None) -> Finding:
    """Judge the `python3` on PATH, and the program that it starts."""
    if path is None:
        return note("python3", "not on PATH: queries in Python need its whole path")
    if "/shims/" in path:
        return note(
            "python3",
            f"{path} is a version manager's shim: a shell would be counted, so queries refuse it",
            f"put the real one first on PATH: {real.rpartition('/')[0] if real else 'its folder'}",
        )
    return ok("python3", path)


def room(free: int) -> Finding:
    """Judge the free space of the cache folder's file system, in bytes."""
    text = f"{show_bytes(free)} free"
    if free < 100 * 2**20:
        return problem("space", f"{text}: no room for two builds", "make room, or use --cache-dir")
    if free < 2 * 2**30:
        return note("space", f"{text}: large builds may not fit", "make room, or use --cache-dir")
    return ok("space", text)
