"""`countci selftest`: changes of known size, put through the gate on this machine."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from countci.cli.options import CACHE, JOBS, cache, cores, environment
from countci.cli.progress import shown


@click.command()
@CACHE
@JOBS
def selftest(cache_dir: Path | None, jobs: int | None) -> int:
    """Prove that counts of this machine can be trusted, in under two minutes.

    A small C program is built at five commits and compared: what does the same work reads
    exactly 0, +0.5 % passes, +1.5 % fails. Exits with 3 when one of them comes out otherwise.
    """
    from countci.selftest import prove

    env = environment()
    with shown(sys.stderr, env) as progress:
        proof = prove(env, cache=cache_dir or cache(env), jobs=jobs or cores(), progress=progress)
    for finding in proof.findings:
        click.echo(finding.text)
    proof.raise_if_wrong()
    return 0
