"""Kill what countci started, when countci itself is killed. Run by `process` as a script.

Standard input carries one line a change, `+PID` or `-PID`, each the leader of a process
group. It ends when countci ends, however it ends; then what is still listed dies. A
program of its own because SIGKILL leaves the killed one no chance to clean up.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys


def main() -> None:
    """Read until the end of standard input, then kill every listed group."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    living: set[int] = set()
    for line in sys.stdin:
        if line.startswith("+"):
            living.add(int(line[1:]))
        else:
            living.discard(int(line[1:]))
    for pid in living:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)


if __name__ == "__main__":
    main()
