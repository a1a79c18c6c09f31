"""The trials as commits of a small repository, and the real pipeline on each."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from countci import pipeline, process, revisions
from countci.errors import MeasureError
from countci.job import Job
from countci.model import INSTRUCTIONS
from countci.progress import Progress
from countci.selftest.trials import TRIALS, Finding, Trial, files, hold

_PROGRAM = Path(__file__).with_name("program.c")


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What became of every trial."""

    findings: tuple[Finding, ...]

    def raise_if_wrong(self) -> None:
        """Raise a MeasureError that says which trials came out wrong, and what is right."""
        wrong = [finding.text for finding in self.findings if not finding.right]
        if wrong:
            raise MeasureError(
                f"{len(wrong)} of {len(self.findings)} came out wrong: "
                "counts of this machine can't be trusted",
                where="selftest",
                detail="\n".join([*wrong, "countci doctor tells what may be the cause"]),
            )


def prove(env: Mapping[str, str], *, cache: Path, jobs: int, progress: Progress) -> Proof:
    """Return what the gate says of changes whose effect is known, here and now.

    Args:
        env: the user's environment.
        cache: a folder that may be made; a folder in it takes everything, and is deleted again.
        jobs: counted runs at a time.
        progress: is told what happens meanwhile.

    Raises:
        MeasureError: there is no C compiler or no valgrind, or a trial can't be built.
    """
    cache.mkdir(parents=True, exist_ok=True)
    _need_compiler(env, cache)
    with tempfile.TemporaryDirectory(prefix="selftest-", dir=cache) as made:
        folder = Path(made)
        base, shas = _commit(folder / "repository", env)
        job = Job(
            where=folder / "repository",
            env=env,
            base=base,
            metrics=(INSTRUCTIONS.name,),
            jobs=jobs,
            cache_dir=folder / "cache",
        )
        return Proof(
            findings=tuple(
                _try(trial, sha, job, progress) for trial, sha in zip(TRIALS, shas, strict=True)
            )
        )


def _need_compiler(env: Mapping[str, str], folder: Path) -> None:
    if process.which("cc", env, folder) is None:
        raise MeasureError(
            "there is no C compiler: the program that is measured can't be made",
            where="cc",
            detail="apt-get install gcc libc6-dev",
        )


def _commit(top: Path, env: Mapping[str, str]) -> tuple[str, list[str]]:
    program = _PROGRAM.read_text(encoding="utf-8")
    made = revisions.Made(top=top, env=env)
    base = made.commit("The program", files(None, program))
    return base, [made.commit(trial.name, files(trial, program)) for trial in TRIALS]


def _try(trial: Trial, sha: str, job: Job, progress: Progress) -> Finding:
    outcome = pipeline.compare(replace(job, head=sha), progress)
    (verdict,) = outcome.report.verdicts
    return hold(trial, verdict)
