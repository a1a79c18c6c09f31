from __future__ import annotations

import os
from pathlib import Path

from countci.serving.processors import busy

STAT = """\
cpu  1000 200 300 9000 50 60 70 80 90 0
cpu0 100 20 30 4000 5 6 7 8 9 0
cpu1 900 180 270 5000 45 54 63 72 81 0
cpu10 1 1 1 1 1 1 1 1 1 0
intr 123 0
"""


def test_what_programs_and_the_hypervisor_took_counts_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "stat").write_text(STAT)
    second = os.sysconf("SC_CLK_TCK")

    assert busy([0], root=tmp_path) == (100 + 20 + 30 + 8) / second
    assert busy([0, 1], root=tmp_path) == (158 + 900 + 180 + 270 + 72) / second
    assert busy([], root=tmp_path) == 0


def test_this_machine_has_run_something() -> None:
    assert busy(os.sched_getaffinity(0)) > 0
