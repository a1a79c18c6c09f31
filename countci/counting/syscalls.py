"""Valgrind's log of system calls, as a sequence of calls and returns.

    SYSCALL[PID,THREAD](NUMBER) sys_NAME ( ARGUMENTS ) --> [async] ...
    SYSCALL[PID,THREAD](NUMBER) ... [async] --> Success(0x3)
    SYSCALL[PID,THREAD](NUMBER) sys_NAME ( ARGUMENTS )[sync] --> Failure(0x2)

A process writes each of these lines in two or three pieces, and processes that run at the
same time write between each other's pieces. A piece that can't be told to be a process's own
comes without a process.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

_MARK = b"SYSCALL["
_HEAD = re.compile(rb"(\d+),(\d+)\]\(\d+\) ?")
_CALL = re.compile(
    rb"sys_(\w+)(?:\[[^\]\n]*\])? ?\( ?(.*?)(?: ?\))?"
    rb"((?:\[sync\])? --> .*|   (?:clone\(fork\)|fork): .*|==\d+==.*|--\d+--.*|sys_\w+ ?\(.*)?$"
)
_RETURN = re.compile(rb"\.\.\. \[async\] --> (Success|Failure)\(0x([0-9a-f]+)\)")
_RESULT = re.compile(rb"(?:\[sync\] --> | --> \[pre-success\] )Success\(0x([0-9a-f]+)\)")
_FAILED = re.compile(rb"(?:\[sync\] --> | --> \[pre-fail\] )Failure")
_FORK = re.compile(rb"process (\d+) created child (\d+)")
_STRAY = re.compile(
    rb"(?<![\w/.-])(?:(?:sys_\w+(?:\[[^\]\n]*\])?|arch_\w+|exit|exit_group) ?\( .*|unimplemented)"
)
_NOTHING = (b"", b"==", b"--")


@dataclass(frozen=True, slots=True)
class Call:
    """A process asked the kernel for something."""

    pid: int | None
    """None: it can't be told which process."""
    thread: int
    name: str
    arguments: bytes
    result: int | None
    """None: it failed, it comes later, or it can't be told."""
    later: bool
    """A `Return` of this thread brings the result."""
    lost: bool
    """The result stands somewhere else, and can't be told to be this call's."""


@dataclass(frozen=True, slots=True)
class Return:
    """What a call that took its time came to."""

    pid: int
    thread: int
    result: int | None
    """None: it failed."""


@dataclass(frozen=True, slots=True)
class Fork:
    """A process, or one that is about to exec, was born."""

    parent: int
    child: int


Event: TypeAlias = Call | Return | Fork


def forks(log: bytes) -> dict[int, int]:
    """Return the parent of each process that was forked, by the child's id."""
    return {int(found[2]): int(found[1]) for found in _FORK.finditer(log)}


def events(log: bytes) -> Iterator[Event]:
    """Yield what the processes did, in the order of the log."""
    debts = _Debts()
    start = log.find(_MARK)
    for piece in log[start:].split(_MARK)[1:] if start >= 0 else ():
        head = _HEAD.match(piece)
        if head is None:
            continue
        rest = piece[head.end() :]
        line, _, more = rest.partition(b"\n")
        certain = debts.settled_before(head)
        if returned := _RETURN.match(line):
            if certain:
                yield _return(head, returned)
        elif call := _CALL.match(line):
            tail = call[3] or b""
            yield _call(call, head if certain and not tail.startswith(b"sys_") else None)
            more = tail + b"\n" + more
        elif line.strip()[:2] in _NOTHING:
            debts.add(head)
        for stray in _STRAY.finditer(more):
            debts.pay()
            if found := _CALL.match(stray[0]):
                yield _call(found, None)
        for born in _FORK.finditer(rest):
            yield Fork(int(born[1]), int(born[2]))


class _Debts:
    """Threads whose head was written, and whose call was not: until then no call is certain."""

    def __init__(self) -> None:
        self._owed: set[tuple[bytes, bytes]] = set()
        self._paid = 0

    def settled_before(self, head: re.Match[bytes]) -> bool:
        thread = (head[1], head[2])
        if thread in self._owed:  # it wrote its call before it began the next one
            self._owed.remove(thread)
            self._paid = max(0, self._paid - 1)
        return not self._owed

    def add(self, head: re.Match[bytes]) -> None:
        self._owed.add((head[1], head[2]))

    def pay(self) -> None:
        self._paid += 1
        if self._paid >= len(self._owed):
            self._owed.clear()
            self._paid = 0


def _return(head: re.Match[bytes], found: re.Match[bytes]) -> Return:
    result = int(found[2], 16) if found[1] == b"Success" else None
    return Return(int(head[1]), int(head[2]), result)


def _call(found: re.Match[bytes], head: re.Match[bytes] | None) -> Call:
    tail = found[3] or b""
    result = _RESULT.match(tail)
    later = tail.startswith(b" --> [async]")
    return Call(
        pid=int(head[1]) if head else None,
        thread=int(head[2]) if head else 0,
        name=found[1].decode(),
        arguments=found[2],
        result=int(result[1], 16) if result else None,
        later=later,
        lost=head is None or not (later or result or _FAILED.match(tail)),
    )
