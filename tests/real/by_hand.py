"""A count without countci: valgrind alone, at two n, and the difference over n."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

# Without the last flag valgrind counts what follows the first half of `a && b` when it never runs.
VALGRIND = (
    *("valgrind", "--tool=cachegrind", "--cache-sim=no", "--vex-guest-chase=no"),
    "--cachegrind-out-file=/dev/null",
)
ENV = {"PATH": os.environ["PATH"], "PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8"}


def per_ask(command: Sequence[str], cwd: Path, n: tuple[int, int]) -> Fraction:
    """Return the instructions of one ask; `{n}` in `command` is the number of asks."""
    first, second = (_total([word.format(n=each) for word in command], cwd) for each in n)
    return Fraction(second - first, n[1] - n[0])


def _total(command: Sequence[str], cwd: Path) -> int:
    done = subprocess.run(
        [*VALGRIND, *command], cwd=cwd, env=ENV, capture_output=True, text=True, check=True
    )
    found = re.search(r"I +refs: +([\d,]+)", done.stderr)
    assert found, done.stderr
    return int(found[1].replace(",", ""))
