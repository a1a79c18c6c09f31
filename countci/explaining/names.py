"""Names of functions, as they are matched across two builds."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from countci.counting import cleaned

__all__ = ["bare", "cleaned", "paired"]

_ANONYMOUS = {"(anonymous namespace)": "{anonymous}", "{anon}": "{anonymous}"}
_QUALIFIERS = re.compile(r"(?: const| volatile| &&?| noexcept)+$")
_LAMBDA = re.compile(r"\{lambda\(|\$_[0-9]|\{closure|\{unnamed")


def bare(name: str) -> str:
    """Return a function's name without parameters, template arguments and return type.

    Overloads share it, and so do a function before and after it gained a parameter. Code
    without a stable name (a lambda) keeps all of it.

    Args:
        name: demangled.
    """
    name = cleaned(name)
    for written, kept in _ANONYMOUS.items():
        name = name.replace(written, kept)
    if _LAMBDA.search(name) or name.startswith("("):
        return name
    head = _without_parameters(_QUALIFIERS.sub("", name))
    if "operator" in head or head.startswith("<"):
        return head  # `<` may be part of the name, or hold the type of an impl
    return _without_arguments(head).rpartition(" ")[2] or head


def paired(base: Iterable[str], head: Iterable[str]) -> dict[str, str]:
    """Return head's name of each of base's functions: equal, else the only one equally bare."""
    ours, theirs = set(base), set(head)
    pairs = {name: name for name in ours & theirs}
    left, right = _by_bare(ours - theirs), _by_bare(theirs - ours)
    for name in left.keys() & right.keys():
        if len(left[name]) == len(right[name]) == 1:
            pairs[left[name][0]] = right[name][0]
    return pairs


def _by_bare(names: Iterable[str]) -> dict[str, list[str]]:
    found = defaultdict(list)
    for name in names:
        found[bare(name)].append(name)
    return found


def _without_parameters(name: str) -> str:
    """Cut the last list in parentheses, which is the parameters of a demangled function."""
    if not name.endswith(")"):
        return name
    depth = 0
    for at in range(len(name) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(name[at], 0)
        if depth == 0:
            head = name[:at]
            return name if head.endswith("operator") or not head else head
    return name


def _without_arguments(name: str) -> str:
    kept, depth = [], 0
    for letter in name:
        depth += letter == "<"
        if depth <= 0:
            kept.append(letter)
        depth -= letter == ">"
    return "".join(kept) if depth == 0 else name
