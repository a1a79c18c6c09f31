"""Why a counted run failed: the program's fault, or valgrind's."""

from __future__ import annotations

import re
import signal

from countci import process
from countci.errors import MeasureError
from countci.process import Command, Finished

_UNKNOWN_INSTRUCTION = re.compile(r"unhandled instruction bytes|Unrecognised instruction")
_GAVE_UP = re.compile(
    r"the 'impossible' happened|I can't recover|[Vv]algrind: (?:fatal|FATAL|mmap|.*Assertion)|"
    r"Valgrind: FATAL|failed to start tool|cannot execute"
)
_SPLIT_DEBUG = "debuginfo reader"
_TAIL = 2000


def check(finished: Finished, log: str, native: Command) -> None:
    """Raise a MeasureError if a counted run did not end well.

    Args:
        finished: what valgrind ended with; it passes on the program's status.
        log: the end of valgrind's log.
        native: the command without valgrind, for the message.

    Raises:
        MeasureError: says what to do where valgrind is what failed, and shows the end of
            standard error where it is the program.
    """
    if finished.status == 0:
        return
    if finished.status == -signal.SIGILL or _UNKNOWN_INSTRUCTION.search(log):
        raise MeasureError(
            "valgrind can't run an instruction of this program (SIGILL): it knows AVX2 at most",
            where=native.line,
            detail=_with_end(
                "build it without -march=native, or add -mno-avx512f: the program may run "
                "well without valgrind",
                finished.stderr,
            ),
        )
    if _GAVE_UP.search(log):
        raise MeasureError(
            "valgrind itself gave up", where=native.line, detail=_with_end(_hint(log), _said(log))
        )
    process.raise_for_status(finished.status, native, finished.stderr)


def _hint(log: str) -> str:
    if _SPLIT_DEBUG in log:
        return (
            "it can't read this debug information: build without -gsplit-dwarf; if that is not it, "
            "with -gdwarf-4 (of clang's DWARF 5, valgrind 3.19 can't read all)"
        )
    return "try the program without countci: valgrind --tool=cachegrind COMMAND"


def _said(log: str) -> str:
    """Return valgrind's own last words, without the process in front of each line."""
    lines = (re.sub(r"^[=-]{2}\d+[=-]{2} ?", "", line) for line in log.splitlines())
    kept = [line for line in lines if line.strip() and "SYSCALL[" not in line]
    return "\n".join(kept[-8:])


def _with_end(hint: str, output: str) -> str:
    return "\n".join(filter(None, [hint, output[-_TAIL:].strip()]))
