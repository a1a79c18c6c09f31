"""Print what countci's rule for paired runs gets right, beside tools that time in blocks.

Run it from the top of the repository: `python -m benchmarks.timing_rule [GATES]`. The runs are
generated (tests/series.py: noise, drift, bursts, waits), so a true change is known.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Callable, Sequence

from countci.judging.statistics import median
from countci.model import Limit, Status
from tests.series import CALM, HEAVY, RESTLESS, ROUGH, Machine, Series, gate

LIMIT = Limit(share=0.03)
CHANGES = (0.0, 0.02, 0.029, 0.05)
MACHINES = {"calm": CALM, "restless": RESTLESS, "rough": ROUGH, "heavily loaded": HEAVY}
BLOCK = 40

Rival = Callable[[Sequence[float], Sequence[float]], bool]


def mann_whitney(base: Sequence[float], head: Sequence[float]) -> float:
    """Return the two-sided p of the rank-sum test, by its normal approximation."""
    wins = sum(after > before for before in base for after in head)
    size = len(base) * len(head)
    deviation = math.sqrt(size * (len(base) + len(head) + 1) / 12)
    return math.erfc(abs(wins - size / 2) / deviation / math.sqrt(2))


def significant(base: Sequence[float], head: Sequence[float]) -> bool:
    """Return whether the rank-sum test calls head slower at p < 0.05."""
    return median(head) > median(base) and mann_whitney(base, head) < 0.05


def as_asv(base: Sequence[float], head: Sequence[float]) -> bool:
    """Return whether p < 0.002 and the ratio of medians is above the limit."""
    above = median(head) / median(base) > 1 + LIMIT.share
    return above and mann_whitney(base, head) < 0.002


def by_median(base: Sequence[float], head: Sequence[float]) -> bool:
    """Return whether the ratio of medians is above the limit."""
    return median(head) / median(base) > 1 + LIMIT.share


RIVALS: dict[str, Rival] = {
    "Mann-Whitney p < 0.05": significant,
    "p < 0.002 and 1.03": as_asv,
    "ratio of medians > 1.03": by_median,
}


def blocks_fail(rival: Rival, machine: Machine, change: float, gates: int) -> float:
    """Return the share of gates that fail when all of base runs first, then all of head."""
    failed = 0
    for seed in range(gates):
        series = Series(seed, machine)
        base = [series.run(1.0).wall for _ in range(BLOCK)]
        head = [series.run(1 + change).wall for _ in range(BLOCK)]
        failed += rival(base, head)
    return failed / gates


def rule_row(machine: Machine, change: float, gates: int) -> str:
    """Return fail, unsettled and pass shares of countci's rule, and the pairs that it took."""
    found = [gate(seed, change=change, machine=machine, limit=LIMIT) for seed in range(gates)]
    statuses = Counter(each.change.status for each in found)
    pairs = sum(each.pairs for each in found) / gates
    shares = (statuses[each] / gates for each in (Status.FAIL, Status.UNSETTLED, Status.PASS))
    return " ".join(f"{share:9.1%}" for share in shares) + f" {pairs:7.1f}"


def main(gates: int) -> None:
    """Print a table for each machine."""
    for name, machine in MACHINES.items():
        print(f"{name} machine, {gates} gates a row, limit 3 %")
        print(f"{'true change':>28} {'fail':>9} {'unsettled':>9} {'pass':>9} {'pairs':>7}")
        for change in CHANGES:
            print(f"{'this rule':<20}{change:>+8.1%} {rule_row(machine, change, gates)}")
        for label, rival in RIVALS.items():
            fails = [blocks_fail(rival, machine, change, gates // 4) for change in CHANGES]
            shown = " ".join(f"{share:.1%}" for share in fails)
            print(f"{label} in blocks of {BLOCK} fails: {shown}")
        print()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
