"""How busy processors are, whoever uses them."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path


def busy(processors: Collection[int], *, root: Path = Path("/proc")) -> float:
    """Return the seconds that processors have run programs, all together, since the start.

    What the hypervisor took counts as run by somebody. Interrupts don't: a server's own requests
    cause them as well.

    Source:
        proc(5), /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal, in ticks.
    """
    ticks = 0
    for line in (root / "stat").read_text(encoding="ascii").splitlines():
        name, *fields = line.split()
        if name in {f"cpu{number}" for number in processors}:
            user, nice, system, *rest = (int(each) for each in fields[:8])
            ticks += user + nice + system + rest[4]
    return ticks / os.sysconf("SC_CLK_TCK")
