"""What the processes of a query touched, followed call by call. Pure: looks at no file."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from countci.counting.syscalls import Call, Event, Fork, Return

_PATH = re.compile(rb"(?:(-?\d+), )?0x[0-9a-f]+\((.*?)\)(?=, (?:-?\d|0x)|$)")
_NUMBER = re.compile(rb"-?(?:0x[0-9a-f]+|\d+)")
_HERE = {-100, 2**32 - 100, 2**64 - 100}
"""AT_FDCWD: the working directory instead of an open folder; versions write it differently."""
_OPENS = {"open", "openat", "openat2", "creat"}
_EXECS = {"execve", "execveat"}
_LISTS = {"getdents", "getdents64"}
_MAPS = {"mmap", "mmap2"}
_MOVES = {"chdir", "fchdir"}
_COPIES = {"dup", "dup2", "dup3", "fcntl", "fcntl64"}
_CHANGES = {"creat", "mkdir", "mkdirat", "rmdir", "unlink", "unlinkat", "rename", "renameat"}
_CHANGES |= {"renameat2", "link", "linkat", "symlink", "symlinkat", "truncate", "mknod", "mknodat"}
_FOLLOWED = _OPENS | _LISTS | _MAPS | _MOVES | _COPIES | {"close"}
_NO_PATHS = {"memfd_create", "mq_open", "mq_unlink", "request_key", "add_key", "keyctl", "prctl"}
_HIDDEN = {"chroot", "pivot_root", "mount", "open_by_handle_at", "io_uring_setup", "fanotify_mark"}
_HIDDEN |= {"inotify_add_watch", "unshare", "setns"}
"""Calls that read files by other means than names in the log, or change what names mean."""
_WRITING = 0o1103
"""O_WRONLY, O_RDWR, O_CREAT, O_TRUNC."""
_EXECUTABLE = 4
"""PROT_EXEC."""
_COPYING = {0, 1030}
"""F_DUPFD, F_DUPFD_CLOEXEC."""


@dataclass(slots=True)
class Touched:
    """Absolute paths, by what was done with them. Filled by `follow`, then left alone."""

    looked_up: set[str] = field(default_factory=set)
    """All of them, found or not."""
    opened: set[str] = field(default_factory=set)
    listed: set[str] = field(default_factory=set)
    executed: set[str] = field(default_factory=set)
    loaded: set[str] = field(default_factory=set)
    """Opened and mapped as code: shared libraries."""
    changed: set[str] = field(default_factory=set)
    unknown: str = ""
    """Why it may not be all; empty when it is."""


@dataclass(slots=True)
class _Process:
    """What a path means to one process."""

    folder: str | None
    """None: it can't be told."""
    files: dict[int, str]


def follow(events: Iterable[Event], *, start: str, parents: dict[int, int]) -> Touched:
    """Return what the processes touched.

    Args:
        events: their system calls in order.
        start: the working directory of the first.
        parents: the parent of each process that was forked.
    """
    follower = _Follower(start, parents)
    for event in events:
        follower.take(event)
    return follower.touched


class _Follower:
    def __init__(self, start: str, parents: dict[int, int]) -> None:
        self.touched = Touched()
        self._start = start
        self._parents = parents
        self._processes: dict[int, _Process] = {}
        self._waiting: dict[tuple[int, int], tuple[Call, list[str]]] = {}

    def take(self, event: Event) -> None:
        match event:
            case Fork(parent, child):
                self._process(parent)
                self._process(child)
            case Return(pid, thread, result):
                call, paths = self._waiting.pop((pid, thread), (None, []))
                if call is not None and result is not None:
                    self._done(call, self._process(pid), paths, result)
            case Call():
                try:
                    self._call(event)
                except (IndexError, ValueError):
                    self._give_up(f"the log of {event.name} can't be read")

    def _process(self, pid: int) -> _Process:
        """Return a process; a new one sees what its parent sees at that moment."""
        if pid not in self._processes:
            parent = self._processes.get(self._parents.get(pid, -1))
            folder, files = (parent.folder, dict(parent.files)) if parent else (self._start, {})
            self._processes[pid] = _Process(folder, files)
        return self._processes[pid]

    def _call(self, call: Call) -> None:
        if call.name in _HIDDEN:
            self._give_up(f"it calls {call.name}")
        process = None if call.pid is None else self._process(call.pid)
        paths = self._paths(call, process)
        self.touched.looked_up.update(paths)
        if call.name in _EXECS:
            self.touched.executed.update(paths)
        if call.name in _CHANGES or (call.name in _OPENS and _writes(call)):
            self.touched.changed.update(paths)
        if call.name in _FOLLOWED:
            self._settle(call, process, paths)

    def _settle(self, call: Call, process: _Process | None, paths: list[str]) -> None:
        if call.name in _LISTS:
            self._list(call, process)
        elif process is None or call.lost:
            # From here on, an open file or a folder of its own may be another one.
            for each in self._processes.values() if process is None else [process]:
                each.files.clear()
                if call.name in _MOVES:
                    each.folder = None
            if call.name in _OPENS:
                self.touched.opened.update(paths)
        elif call.later:
            assert call.pid is not None
            self._waiting[call.pid, call.thread] = (call, paths)
        elif call.result is not None:
            self._done(call, process, paths, call.result)

    def _done(self, call: Call, process: _Process, paths: list[str], result: int) -> None:
        """Take in a followed call that succeeded."""
        numbers = _numbers(call)
        if call.name in _OPENS and paths:
            self.touched.opened.add(paths[0])
            process.files[result] = paths[0]
        elif call.name == "chdir":
            process.folder = paths[0] if paths else None
        elif call.name == "fchdir":
            process.folder = process.files.get(numbers[0])
        elif call.name == "close":
            process.files.pop(numbers[0], None)
        elif call.name in _MAPS and len(numbers) > 4 and numbers[2] & _EXECUTABLE:
            self.touched.loaded.update(filter(None, [process.files.get(numbers[4])]))
        elif call.name in _COPIES:
            self._copy(call, process, result)

    def _copy(self, call: Call, process: _Process, result: int) -> None:
        numbers = _numbers(call)
        if call.name.startswith("fcntl") and numbers[1] not in _COPYING:
            return
        process.files.pop(result, None)
        if numbers[0] in process.files:
            process.files[result] = process.files[numbers[0]]

    def _list(self, call: Call, process: _Process | None) -> None:
        folder = process.files.get(_numbers(call)[0]) if process else None
        if folder is None:
            self._give_up("it lists a folder that can't be told")
        else:
            self.touched.listed.add(folder)

    def _paths(self, call: Call, process: _Process | None) -> list[str]:
        if call.name in _NO_PATHS:
            return []
        found = (self._path(at, path, process) for at, path in _PATH.findall(call.arguments))
        return [path for path in found if path is not None]

    def _path(self, at: bytes, path: bytes, process: _Process | None) -> str | None:
        """Return a path made absolute; None when there is none, or when it can't be told."""
        text = path.decode(errors="surrogateescape")
        if not text or text == "(null)":
            return None
        if text.startswith("/"):
            return text
        folder = self._folder(int(at) if at else -100, process)
        if folder is None:
            self._give_up(f"what {text} is relative to can't be told")
            return None
        return posixpath.join(folder, text)

    def _folder(self, at: int, process: _Process | None) -> str | None:
        if process is not None:
            return process.folder if at in _HERE else process.files.get(at)
        folders = {each.folder for each in self._processes.values()}
        return folders.pop() if at in _HERE and len(folders) == 1 else None

    def _give_up(self, why: str) -> None:
        self.touched.unknown = self.touched.unknown or why


def _numbers(call: Call) -> list[int]:
    """Return the arguments that are numbers; those of the calls above come before any path."""
    words = call.arguments.split(b", ")
    return [int(word, 0) for word in words if _NUMBER.fullmatch(word)]


def _writes(call: Call) -> bool:
    """Whether a file was opened so that it could change; `openat2` doesn't tell."""
    flags = call.arguments.rpartition(b"), ")[2].split(b", ")[0]
    return call.name != "openat2" and flags.isdigit() and bool(int(flags) & _WRITING)
