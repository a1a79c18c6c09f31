"""Which side of a pair runs first."""

from __future__ import annotations

import random
from collections.abc import Iterator


def blocks(seed: int) -> Iterator[bool]:
    """Yield for each pair whether head runs first: A B B A or B A A B at random, without end.

    In every block of two pairs each side runs first once, so what drifts slowly meets both
    alike. Strict A B A B falls into step with the scheduler, hence the coin for each block.
    """
    coin = random.Random(seed)  # noqa: S311 - no secret; a seed lets a run be repeated
    while True:
        head_first = coin.random() < 0.5
        yield head_first
        yield not head_first
