"""Which function of base is which of head."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass

from countci.counting import Function

_Key = Callable[[Function], Hashable]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One function on both sides. At least one of them is there."""

    key: str
    """Unlike that of any other pair."""
    base: Function | None
    head: Function | None

    @property
    def either(self) -> Function:
        """Head's, or what base had."""
        found = self.head or self.base
        assert found is not None
        return found

    @property
    def name(self) -> str:
        """Qualified, as head has it."""
        return self.either.name

    @property
    def changed(self) -> bool:
        """Whether it executes something else, or is new or gone."""
        if self.base is None or self.head is None:
            return True
        return self.base.digest != self.head.digest

    @property
    def calls(self) -> tuple[int, int]:
        """How often it is called an ask, on both sides."""
        return self.base.calls if self.base else 0, self.head.calls if self.head else 0


def paired(base: Sequence[Function], head: Sequence[Function]) -> tuple[Pair, ...]:
    """Return each function once, whose files are those of head's tree on both sides."""
    left, right = list(base), list(head)
    found: list[tuple[Function | None, Function | None]] = []
    for key, alone in _ROUNDS:
        found += _matched(left, right, key, alone=alone)
        # By identity: two functions that were made alike are equal.
        taken = {id(each) for pair in found for each in pair}
        left = [each for each in left if id(each) not in taken]
        right = [each for each in right if id(each) not in taken]
    found += [(function, None) for function in left]
    found += [(None, function) for function in right]
    return tuple(
        Pair(key=str(number), base=one, head=other) for number, (one, other) in enumerate(found)
    )


# The first that fits; with `True` only where no other function has the same key.
_ROUNDS: tuple[tuple[_Key, bool], ...] = (
    (lambda each: (each.file, each.name, each.digest), False),
    (lambda each: (each.file, each.name), False),
    (lambda each: (each.name, each.digest), True),  # moved
    (lambda each: (each.file, each.digest), True),  # renamed
    (lambda each: each.name, True),  # moved and edited
)


def _matched(
    base: Sequence[Function], head: Sequence[Function], key: _Key, *, alone: bool
) -> list[tuple[Function, Function]]:
    left, right = _by(base, key), _by(head, key)
    return [
        pair
        for name, ours in left.items()
        if (theirs := right.get(name)) and not (alone and len(ours) + len(theirs) > 2)
        for pair in zip(ours, theirs, strict=False)
    ]


def _by(functions: Iterable[Function], key: _Key) -> dict[Hashable, list[Function]]:
    found: dict[Hashable, list[Function]] = defaultdict(list)
    for each in functions:
        found[key(each)].append(each)
    return found
