"""What is asked of a program."""

from __future__ import annotations

from typing import Literal, TypeAlias

from countci.model.frozen import Frozen
from countci.model.memory import MemoryWork
from countci.model.metrics import METRICS, Limit, Metric, default_limit
from countci.model.servers import ServerWork
from countci.units import Seconds


class CommandWork(Frozen, frozen=True, kw_only=True, tag="command"):
    """Run a command; `{n}` asks a process."""

    command: str
    """Split as a shell splits words, run without a shell."""
    stdin: str | None = None
    """Path below the folder of the query files."""
    env: dict[str, str] = {}
    fixed: tuple[Literal["clock", "random"], ...] = ()
    """What is the same in every run: an advancing clock, seeded random numbers."""

    @property
    def repeats(self) -> bool:
        """Whether the command takes `{n}`; otherwise it is counted as a whole process."""
        return "{n}" in self.command.replace("{{", "")  # {{n}} is n in braces


class PythonWork(Frozen, frozen=True, kw_only=True, tag="python"):
    """Call a function of the project, inside one process: start-up and setup aren't counted."""

    function: str
    """`package.module:function`."""
    setup: str | None = None
    """`package.module:function`; what it returns is the argument, made once."""
    collector: Literal["each", "off"] = "each"
    """Whether Python's young garbage is collected after each ask, and counted."""
    interpreter: str = "{build}/.venv/bin/python"
    env: dict[str, str] = {}

    @property
    def repeats(self) -> bool:
        """It can be called any number of times."""
        return True

    @property
    def stdin(self) -> None:
        """A function has none of its own."""

    @property
    def fixed(self) -> tuple[Literal["clock", "random"], ...]:
        """Nothing: a function is counted between two points of one process."""
        return ()


class PytestWork(Frozen, frozen=True, kw_only=True, tag="pytest"):
    """Run the benchmarks of a pytest suite, each in a forked child of one process."""

    args: tuple[str, ...]
    """Of pytest: what is collected."""
    test: str = ""
    """Node id of the one test that is meant; empty: all that are collected."""
    interpreter: str = "{build}/.venv/bin/python"
    env: dict[str, str] = {}

    @property
    def repeats(self) -> bool:
        """A test can be asked any number of times."""
        return True

    @property
    def stdin(self) -> None:
        """A suite has none of its own."""

    @property
    def fixed(self) -> tuple[Literal["clock", "random"], ...]:
        """Nothing: as for a Python function."""
        return ()


class OutputWork(Frozen, frozen=True, kw_only=True, tag="output"):
    """Run a command whose own output tells the numbers."""

    command: str
    """As of the kind `command`; most have no `{n}`."""
    stdin: str | None = None
    env: dict[str, str] = {}
    reader: str = ""
    """Name of what reads the output; empty where only patterns and paths do."""
    patterns: dict[str, str] = {}
    """By metric, a regular expression whose one group is the number."""
    paths: dict[str, str] = {}
    """By metric, where it stands in the JSON that is printed: `results.0.mean`."""
    source: Literal["stdout", "stderr"] = "stdout"
    """Where it prints them."""

    @property
    def repeats(self) -> bool:
        """Whether the command takes `{n}`."""
        return "{n}" in self.command.replace("{{", "")

    @property
    def fixed(self) -> tuple[Literal["clock", "random"], ...]:
        """Nothing: its numbers are sampled."""
        return ()


Work: TypeAlias = CommandWork | PythonWork | PytestWork | OutputWork | ServerWork | MemoryWork
"""What is run, by kind. A new kind is one more struct in this union."""


class Query(Frozen, frozen=True, kw_only=True):
    """One fixed piece of work, the same on both sides. Made by `queries.load`."""

    suite: str
    name: str
    file: str
    """Path of the query file inside the project, for messages and annotations."""
    work: Work
    setup: str | None = None
    """The suite's command that runs once a build, not measured."""
    metrics: tuple[str, ...] = ("instructions", "time")
    limits: dict[str, Limit] = {}
    """One for each of `metrics`."""
    own: dict[str, Metric] = {}
    """Metrics that only this query has: what its own output or server tells, by name."""
    timeout: Seconds = Seconds(60.0)
    """For one native run; a counted one may take 25 times as long."""
    output: Literal["any", "same"] = "any"
    """What standard output may be on head: `same` makes a changed one an error."""
    sweep: dict[str, str] = {}
    """Its point of a sweep, by axis; its name ends with it. Empty without a sweep."""
    placement: str = ""
    """Where its timed runs are placed, one of `PLACEMENTS`; empty: anywhere."""
    digest: str = ""
    """Of everything that a count depends on: work, setup, and all files beside the query files."""

    @property
    def id(self) -> str:
        """`suite/name`."""
        return f"{self.suite}/{self.name}"

    @property
    def sweep_id(self) -> str:
        """The id that all points of a sweep share: `suite/name` without the values."""
        values = ",".join(f"{axis}={value}" for axis, value in self.sweep.items())
        return self.id.replace(f"[{values}]", "", 1) if self.sweep else self.id

    def metric(self, name: str) -> Metric:
        """Return one of `metrics`."""
        return self.own.get(name) or METRICS[name]

    def limit(self, metric: Metric) -> Limit:
        """Return how far `metric` may move."""
        return self.limits.get(metric.name) or default_limit(metric)

    @property
    def exact(self) -> tuple[str, ...]:
        """Those of `metrics` that are counts."""
        return tuple(name for name in self.metrics if self.metric(name).exact)

    @property
    def prints_measures(self) -> bool:
        """Whether it prints what it measured: equal work prints something else each time."""
        return isinstance(self.work, OutputWork)

    @property
    def collects(self) -> bool:
        """Whether it stands for tests, each a query, that are known only after a build."""
        return isinstance(self.work, PytestWork) and not self.work.test


class Loosened(Frozen, frozen=True, kw_only=True):
    """A limit that head's files make less strict. Made by `queries.loosened`."""

    query: str
    """Id, of a query or of a suite of tests."""
    metric: str
    base: Limit
    """What base's files say."""
    text: str
    """From which limit to which, in a sentence without a full stop."""


class Suites(Frozen, frozen=True, kw_only=True):
    """All queries of a revision, in the order of their files. Made by `queries.load`."""

    queries: tuple[Query, ...]
    digest: str
    """Of the folder of query files."""
