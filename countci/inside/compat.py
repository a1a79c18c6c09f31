"""Stands in for pytest-benchmark and pytest-codspeed, which are switched off."""

from __future__ import annotations

import importlib.util
import sys
import types
from typing import Any, Final

import pytest

from .benchmark import Benchmark, FixtureAlreadyUsed

_VALUED: Final = (
    *("min-time", "max-time", "min-rounds", "timer", "calibration-precision", "columns", "sort"),
    *("warmup", "warmup-iterations", "group-by", "name", "save", "storage", "json", "histogram"),
    *("compare", "compare-fail", "cprofile", "cprofile-loops", "cprofile-top", "cprofile-dump"),
    *("netrc", "time-unit"),
)
_SWITCHES: Final = (
    *("only", "skip", "disable", "enable", "disable-gc", "verbose", "quiet", "autosave"),
    "save-data",
)
_CODSPEED: Final = ("mode", "warmup-time", "max-time", "max-rounds", "capture-output")
_OPTIONAL: Final = ("warmup", "histogram", "compare", "json", "cprofile")  # also without a value


# pytest-benchmark's hooks, with the arguments that a conftest's own may take.
_HOOKS: Final = {
    "scale_unit": "config unit benchmarks best worst sort",
    "generate_machine_info": "config",
    "update_machine_info": "config machine_info",
    "generate_commit_info": "config",
    "update_commit_info": "config commit_info",
    "group_stats": "config benchmarks group_by",
    "generate_json": "config benchmarks include_data machine_info commit_info",
    "update_json": "config benchmarks output_json",
    "compare_machine_info": "config benchmarksession machine_info compared_benchmark",
}


class Compat:
    """The plugin that accepts their options, hooks, markers and imports, and ignores them."""

    def __init__(self) -> None:
        """Let `from pytest_codspeed import BenchmarkFixture` work also where it isn't installed."""
        _stand_in("pytest_codspeed", "plugin")
        _stand_in("pytest_benchmark", "fixture", "plugin", "session")

    def pytest_addhooks(self, pluginmanager: pytest.PytestPluginManager) -> None:
        """Know the hooks: pytest refuses a conftest that implements unknown ones."""
        specs = {f"pytest_benchmark_{name}": _spec(words) for name, words in _HOOKS.items()}
        pluginmanager.add_hookspecs(type("Hooks", (), specs))

    def pytest_addoption(self, parser: pytest.Parser) -> None:
        """Accept the options."""
        group = parser.getgroup("countci", "accepted, and ignored: countci counts")
        for name in _VALUED:
            count = {"nargs": "?"} if name in _OPTIONAL else {}
            group.addoption(f"--benchmark-{name}", action="append", default=None, **count)
        for name in _SWITCHES:
            group.addoption(f"--benchmark-{name}", action="store_true", default=False)
        group.addoption("--codspeed", action="store_true", default=False)
        for name in _CODSPEED:
            group.addoption(f"--codspeed-{name}", action="append", default=None)

    def pytest_configure(self, config: pytest.Config) -> None:
        """Know the markers."""
        for marker in ("benchmark", "codspeed_benchmark"):
            config.addinivalue_line("markers", f"{marker}: what countci counts")


def _spec(words: str) -> Any:  # noqa: ANN401 - a function
    """Return a function with those parameters: pytest reads their names off its code."""
    return eval(f"lambda {', '.join(words.split())}: None")  # noqa: S307 - of our own words


def _stand_in(package: str, *modules: str) -> None:
    if importlib.util.find_spec(package) is not None:
        return
    for name in (package, *(f"{package}.{module}" for module in modules)):
        module = types.ModuleType(name)
        module.BenchmarkFixture = Benchmark  # type: ignore[attr-defined]
        module.FixtureAlreadyUsed = FixtureAlreadyUsed  # type: ignore[attr-defined]
        sys.modules[name] = module
        above, _, last = name.rpartition(".")
        if above:
            setattr(sys.modules[above], last, module)
