"""A command that is not counted, with what it read: a suite's setup."""

from __future__ import annotations

import shutil
from pathlib import Path

import countci.counting.cachegrind as cachegrind
import countci.counting.failures as failures
from countci import process
from countci.counting.listener import listening
from countci.counting.readset import LARGEST_LOG, read_set
from countci.counting.run import prepared
from countci.model import ReadSet
from countci.process import Command


def run_watched(command: Command, *, stage: Path, folder: Path) -> ReadSet:
    """Run `command` to its end, and return what its processes read of the stage.

    It takes 2 (C) to 16 times (Python) as long as a plain run.

    Args:
        command: the program, native.
        stage: the tree.
        folder: is made for the run and removed after it.

    Raises:
        MeasureError: it failed.
    """
    valgrind = cachegrind.find(command.env, command.cwd)
    shutil.rmtree(folder, ignore_errors=True)
    try:
        watched = cachegrind.watch(prepared(command, folder), out=folder, valgrind=valgrind)
        with listening(folder / "log", LARGEST_LOG) as log:
            finished = process.run(watched, check=False)
        failures.check(finished, log.last, command)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    program = cachegrind.program(command)
    trace = read_set(bytes(log.data), stage=stage, cwd=command.cwd, program=program, cut=log.cut)
    return trace.reads
