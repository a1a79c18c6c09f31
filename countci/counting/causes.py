"""What a program asks the kernel for that differs from run to run. Pure: reads a log."""

from __future__ import annotations

import re

_CALL = rb"\bsys_(?:%s) ?\("
_CAUSES = {
    # Under valgrind these are real calls: it hides the vDSO, which answers them without one.
    "clock": re.compile(_CALL % rb"time|gettimeofday|clock_gettime|times"),
    # All but what the C library's malloc takes for itself: 8 bytes, without waiting. It
    # guards freed pieces with them, and no count depends on it.
    "random": re.compile(rb"\bsys_getrandom ?\((?! 0x[0-9a-f]+, 8, 1 ?\))|\(/dev/u?random\)"),
    "pid": re.compile(_CALL % rb"getpid|getppid"),
}
_CLONE = re.compile(rb"\bsys_clone ?\( ([0-9a-f]+),")
_CLONE_THREAD = 0x10000


def causes(log: bytes) -> tuple[str, ...]:
    """Return what in a log of system calls may move a count: `clock`, `random`, `pid`, `threads`.

    A program may ask for any of these without its work depending on it; so they explain a
    count that was seen to move, and accuse nobody else.

    Source:
        GRND_NONBLOCK in the third argument of getrandom(2); CLONE_THREAD in the first of
        clone(2), which valgrind's log writes in hex without a prefix.
    """
    found = [name for name, pattern in _CAUSES.items() if pattern.search(log)]
    if any(int(clone[1], 16) & _CLONE_THREAD for clone in _CLONE.finditer(log)):
        found.append("threads")
    return tuple(found)
