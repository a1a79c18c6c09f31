"""Snapshots of what has been counted so far, by fork.

A child made by a bare fork inherits cachegrind's counts. One that leaves at once makes
cachegrind write them down: the difference of two such profiles is what ran between them,
plus a constant (about 11,000 instructions) that a slope cancels. The system call is issued
by machine code of our own, so that no handler of Python or libc runs and nothing in the
process changes.
"""

from __future__ import annotations

import mmap
import os
import struct
from typing import Final

_TABLE_SIZE: Final = 1 << 16
_UNKNOWN: Final = -1

# mov r9, [table]; fork() (57); in the parent: count it at [r9], note the result in its entry
# of 16 bytes; unless it is an error: wait4(pid, entry + 8, 0, 0) (61), again after EINTR; ret.
# In the child: exit_group(0) (231). `table` is the eight bytes behind the code.
_X86_64: Final = bytes.fromhex(
    "4c8b0d49000000 b839000000 0f05 4885c0 7432"  # mov, mov, syscall, test, jz child
    "4d8b01 49ff01 49ffc0 49c1e004 4d01c1 498901 4885c0 7819"  # ..., mov, test, js done
    "498b39 498d7108 31d2 4531d2 b83d000000 0f05"  # again: mov, lea, xor, xor, mov, syscall
    "4883f8fc 74e7 c3"  # cmp rax, -4; je again; done: ret
    "31ff b8e7000000 0f05 6690"  # child: xor, mov, syscall; nop
)
# The same with clone(SIGCHLD, 0, 0, 0, 0) (220), wait4 (260), exit_group (94).
# Tried in an emulator only.
_ARM64: Final = bytes.fromhex(
    "89030058 200280d2 e1031faa e2031faa e3031faa e4031faa 881b80d2 010000d4"
    "000200b4 2a0140f9 4a050091 2a0100f9 29110a8b 200100f9 2001f8b7"
    "200140f9 21210091 e2031faa e3031faa 882080d2 010000d4 1f1000b1 20ffff54"
    "c0035fd6 e0031faa c80b80d2 010000d4 1f2003d5"
)
# Code, and where its `ret` is.
_CODE: Final = {
    "x86_64": (_X86_64, 0x44),
    "aarch64": (_ARM64, 0x5C),
}


class SnapshotError(Exception):
    """Snapshots can't be taken here, or one went wrong."""


class Snapshots:
    """The snapshots of this process, in order."""

    def __init__(self) -> None:
        """Prepare the code that takes them.

        Raises:
            SnapshotError: the machine is of another kind, or refuses executable memory.
        """
        machine = os.uname().machine
        if machine not in _CODE:
            raise SnapshotError(f"no snapshots on {machine}: only on {' and '.join(_CODE)}")
        try:
            import ctypes
        except ImportError as error:
            raise SnapshotError(f"this Python has no ctypes: {error}") from error
        code, ret = _CODE[machine]
        # Private: a shared mapping would mix up the tables of forked processes.
        private = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
        self._table = mmap.mmap(-1, _TABLE_SIZE, flags=private)
        entry = struct.pack("<qq", 0, _UNKNOWN)
        self._table[:] = entry * (_TABLE_SIZE // len(entry))
        self._code = mmap.mmap(-1, mmap.PAGESIZE, flags=private)
        table = ctypes.addressof(ctypes.c_char.from_buffer(self._table))
        start = ctypes.addressof(ctypes.c_char.from_buffer(self._code))
        self._code[: len(code) + 8] = code + struct.pack("<Q", table)
        _make_executable(start)
        kind = ctypes.PYFUNCTYPE(None)
        self.take = kind(start)
        """Take one. A plain call: cheap, always the same cost."""
        self.idle = kind(start + ret)
        """Take none, called exactly like `take`: it warms up code that takes some."""

    def restart(self) -> None:
        """Forget the snapshots that were taken; there is room for 4,095."""
        struct.pack_into("<q", self._table, 0, 0)

    def pids(self) -> list[int]:
        """Return the process id of each snapshot.

        Raises:
            SnapshotError: a fork failed, or a child didn't come to its end.
        """
        count = struct.unpack_from("<q", self._table, 0)[0]
        return [self._pid(number) for number in range(1, count + 1)]

    def _pid(self, number: int) -> int:
        pid, status = struct.unpack_from("<qi", self._table, 16 * number)
        if pid < 0:
            raise SnapshotError(f"snapshot {number}: fork failed, error {-pid}")
        if status == _UNKNOWN:
            raise SnapshotError(
                f"snapshot {number}: its process can't be waited for (SIGCHLD is ignored?)"
            )
        if status:
            raise SnapshotError(f"snapshot {number}: its process ended with status {status}")
        return int(pid)


def _make_executable(start: int) -> None:
    """Make the page readable and executable, and no longer writable."""
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mprotect(ctypes.c_void_p(start), mmap.PAGESIZE, mmap.PROT_READ | mmap.PROT_EXEC):
        raise SnapshotError(
            f"this machine refuses executable memory (error {ctypes.get_errno()}): "
            "SELinux (execmem) or a hardened container"
        )
