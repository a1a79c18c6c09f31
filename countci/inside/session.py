"""One counted pytest session."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from .addopts import kept
from .asks import Instrument
from .benchmark import Fixtures, Meter
from .children import Forks
from .compat import Compat
from .function import process
from .journal import Journal
from .pytest_plugin import Suite
from .settings import Settings, settings_of
from .snapshot import SnapshotError, Snapshots
from .target import story
from .traced import Tracing

# Plugins that register what ours registers, reorder tests, spread them, or write a cache.
_OFF: Final = ("cacheprovider", "benchmark", "codspeed", "randomly", "random_order", "xdist")
# Captured output would be kept in memory that grows with each ask.
_ARGUMENTS: Final = ("-o", "addopts=", "--capture=no", "--continue-on-collection-errors")

_NOT_RUN: Final = (
    pytest.ExitCode.INTERRUPTED,
    pytest.ExitCode.USAGE_ERROR,
    pytest.ExitCode.INTERNAL_ERROR,
)


def main(argv: Sequence[str]) -> int:
    """Collect and count; return 0 when the journal is whole."""
    settings = settings_of(os.environ)  # noqa: TID251 - this is a program of its own
    journal = Journal(settings.out)
    try:
        instrument = _instrument(settings)
    except SnapshotError as error:
        journal.failed("", str(error))
        return 1
    meter = Meter(instrument, settings.plans)
    forks = Forks(journal, settings.jobs, settings.timeout)
    suite = Suite(meter, journal, forks, settings.chosen)
    off = [word for name in _OFF for word in ("-p", f"no:{name}")]
    here = Path.cwd()
    arguments = [*off, *_ARGUMENTS, *_root(here, argv), *kept(here, argv), *argv]
    sys.argv = ["pytest", *arguments]
    try:
        status = pytest.main(arguments, plugins=[Compat(), Fixtures(meter), suite])
    except Exception as error:  # noqa: BLE001 - of the project's conftest, or of a plugin
        journal.failed("", story(error))
        return 1
    if status in _NOT_RUN:
        journal.failed("", f"pytest ended with status {int(status)}; its output says why")
        return 1
    journal.write({"end": suite.tests, "pytest": pytest.__version__} | process())
    return 0


def _instrument(settings: Settings) -> Instrument | Tracing:
    if settings.trace:
        return Tracing(settings.collector, settings.trace)
    return Instrument(Snapshots(), settings.collector, settings.profiles)


def _root(here: Path, argv: Sequence[str]) -> tuple[str, ...]:
    """Return what keeps pytest below `here` when its configuration lies elsewhere.

    `-c /dev/null`, which some projects use, has it walk down to the tests from `/`; then the
    contents of every folder on the way decide where this process finds its memory.
    """
    return (f"--rootdir={here}", f"--confcutdir={here}") if "-c" in argv else ()
