"""Look at the machine: gather what the checks need, and run every one of them."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import countci.doctor.folder as folder
import countci.doctor.machine as machine
import countci.doctor.tools as tools
from countci.doctor.finding import Finding, Level, ok, problem
from countci.errors import CountciError, MeasureError
from countci.model import Fingerprint, Frozen
from countci.process import Command, Finished, run, which
from countci.units import Seconds

if TYPE_CHECKING:
    from countci.revisions import Repository

_SLOW = Seconds(30)


class Examination(Frozen, frozen=True, kw_only=True):
    """All that was found. Made by `examine`."""

    fingerprint: Fingerprint | None
    """What counts made here depend on; None where nothing can be counted."""
    findings: tuple[Finding, ...]

    @property
    def stopped(self) -> bool:
        """Whether something stops every measurement."""
        return any(finding.level is Level.PROBLEM for finding in self.findings)


def examine(where: Path, env: Mapping[str, str], cache: Path) -> Examination:
    """Return what would disturb a measurement of the repository at `where`.

    Args:
        where: a folder of the repository.
        env: the user's environment.
        cache: the folder below which builds are kept.
    """
    repository = _open(where, env)
    return Examination(
        fingerprint=_fingerprint(_stage(cache, repository), env),
        findings=(*_tools(env), *_machine(env), *_folders(cache), _opened(repository)),
    )


def _tools(env: Mapping[str, str]) -> tuple[Finding, ...]:
    python = which("python3", env, Path())
    compilers = {
        name: path for name in ("cc", "gcc", "clang") if (path := which(name, env, Path()))
    }
    return (
        tools.valgrind(_printed(env, "valgrind", "--version")),
        *_trial(env),
        tools.symbols(debug_files=Path("/usr/lib/debug/.build-id").is_dir()),
        tools.compiler(compilers),
        tools.helper(
            "objdump",
            which("objdump", env, Path()),
            "explanations don't compare machine code, and name fewer causes",
            "binutils",
        ),
        tools.helper(
            "strace",
            which("strace", env, Path()),
            "queries can't ask for system calls",
            "strace",
        ),
        tools.git(_printed(env, "git", "--version")),
        tools.interpreter(
            python, _printed(env, "python3", "-c", "import sys; print(sys.executable)")
        ),
    )


def _machine(env: Mapping[str, str]) -> tuple[Finding, ...]:
    named = env.get("TMPDIR")
    return (
        machine.load(os.getloadavg()[0], len(os.sched_getaffinity(0))),
        machine.quota(_quota()),
        machine.run_queue(known=Path("/proc/self/schedstat").exists()),
        machine.vectors(_read("/proc/cpuinfo") or ""),
        machine.temporary(named, writable=tempfile.gettempdir() == named),
    )


def _folders(cache: Path) -> tuple[Finding, ...]:
    there = folder.existing(cache)
    kind = folder.file_system(there.resolve(), _read("/proc/self/mounts") or "")
    return (
        folder.folder(cache, kind, folder.can_rename(cache)),
        tools.room(shutil.disk_usage(there).free),
    )


def _open(where: Path, env: Mapping[str, str]) -> Repository | CountciError:
    from countci.revisions import open_repository

    try:
        return open_repository(where, env)
    except CountciError as error:
        return error


def _opened(repository: Repository | CountciError) -> Finding:
    if isinstance(repository, CountciError):
        return problem("repository", str(repository).partition("\n")[0], repository.detail)
    return ok("repository", str(repository.top or repository.common))


def _stage(cache: Path, repository: Repository | CountciError) -> Path:
    from countci.builds import locate

    if isinstance(repository, CountciError):
        return cache
    return locate(cache, repository.common).stage


def _trial(env: Mapping[str, str]) -> tuple[Finding, ...]:
    finished = _run(
        env, "valgrind", "--tool=cachegrind", "--cachegrind-out-file=/dev/null", "/bin/true"
    )
    return (tools.trial(finished.status, finished.stderr),) if finished else ()


def _fingerprint(stage: Path, env: Mapping[str, str]) -> Fingerprint | None:
    from countci.counting import fingerprint

    try:
        return fingerprint(stage, env)
    except MeasureError:
        return None  # the findings say why


def _quota() -> str | None:
    """Return `cpu.max` of version 2, or what version 1 says in its words."""
    unified = _read("/sys/fs/cgroup/cpu.max")
    if unified is not None:
        return unified
    amount = _read("/sys/fs/cgroup/cpu/cpu.cfs_quota_us")
    period = _read("/sys/fs/cgroup/cpu/cpu.cfs_period_us")
    if amount is None or period is None or int(amount) < 0:
        return None
    return f"{amount.strip()} {period.strip()}"


def _printed(env: Mapping[str, str], *argv: str) -> str | None:
    finished = _run(env, *argv)
    return finished.stdout.decode(errors="replace").strip() if finished else None


def _run(env: Mapping[str, str], *argv: str) -> Finished | None:
    command = Command(argv=argv, env=env, cwd=Path(), timeout=_SLOW)
    try:
        return run(command, check=False)
    except MeasureError:
        return None


def _read(path: str) -> str | None:
    try:
        return Path(path).read_text(errors="replace")
    except OSError:
        return None
