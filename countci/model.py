"""Every type that travels from one stage to the next. Frozen; made once, where its docstring says.

The order is the order of the flow: revisions, queries, builds, counting, timing, judging, report.
They are msgspec structs because the report is written to JSON and read back; a field's
docstring tells its unit.
"""

from __future__ import annotations

import enum
from fractions import Fraction
from typing import Annotated, Literal, TypeAlias

import msgspec

from countci.errors import CountciError
from countci.units import Seconds


class Frozen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What all of the model's types share."""


# ---------------------------------------------------------------- metrics and limits


class Metric(Frozen, frozen=True, kw_only=True):
    """Something that can be measured on both sides."""

    name: str
    unit: str
    """What one of it is, for a heading: `instructions per ask`."""
    exact: bool
    """A count that repeats to the last digit, and not paired samples."""
    better: str = "lower"
    """`lower` or `higher`: which way is an improvement."""


INSTRUCTIONS = Metric(name="instructions", unit="instructions per ask", exact=True)
TIME = Metric(name="time", unit="seconds per ask", exact=False)
METRICS = {metric.name: metric for metric in (INSTRUCTIONS, TIME)}


class Limit(Frozen, frozen=True, kw_only=True):
    """How far a metric may move the wrong way, as a fraction of base."""

    share: float


DEFAULT_LIMITS = {"instructions": Limit(share=0.01), "time": Limit(share=0.03)}


# ---------------------------------------------------------------- problems and reasons


class Problem(Frozen, frozen=True, kw_only=True):
    """An error that was kept, so that the other queries could go on. Made from a CountciError."""

    problem: str
    where: str = ""
    detail: str = ""

    @classmethod
    def of(cls, error: CountciError) -> Problem:
        """Return `error` as data, so that the other queries can go on."""
        return cls(problem=error.problem, where=error.where, detail=error.detail)


class Reason(Frozen, frozen=True, kw_only=True):
    """One thing a reader of the report should know."""

    code: str
    """A stable word for programs: `identical`, `limit-loosened`, `disturbed`, ..."""
    text: str
    """A sentence for people, without a full stop."""


# ---------------------------------------------------------------- revisions


class Revision(Frozen, frozen=True, kw_only=True):
    """A commit, and the name by which it was asked for. Made by `revisions.resolve`."""

    name: str
    sha: str
    """40 hex digits; for uncommitted work, of a commit that only countci's own store holds."""
    tree: str
    subject: str
    """The first line of the message."""
    when: int
    """The committer's time, seconds since 1970."""


class Acceptance(Frozen, frozen=True, kw_only=True):
    """What a commit's message allows. Made by `revisions.trailers`."""

    commit: str
    """40 hex digits."""
    query: str
    """Id, as it is written."""
    metric: str | None
    """None: the query may be gone."""
    share: float = 0.0
    """How far at most, as a fraction of base with its sign: 0.025 for `+2.5%`."""
    reason: str
    line: str
    """As it is written, in one line, without `Countci-Accept:`."""


# ---------------------------------------------------------------- queries


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


Work: TypeAlias = CommandWork | PythonWork | PytestWork
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
    timeout: Seconds = Seconds(60.0)
    """For one native run; a counted one may take 25 times as long."""
    output: Literal["any", "same"] = "any"
    """What standard output may be on head: `same` makes a changed one an error."""
    digest: str = ""
    """Of everything that a count depends on: work, setup, and all files beside the query files."""

    @property
    def id(self) -> str:
        """`suite/name`."""
        return f"{self.suite}/{self.name}"

    @property
    def collects(self) -> bool:
        """Whether it stands for tests, each a query, that are known only after a build."""
        return isinstance(self.work, PytestWork) and not self.work.test


class Suites(Frozen, frozen=True, kw_only=True):
    """All queries of a revision, in the order of their files. Made by `queries.load`."""

    queries: tuple[Query, ...]
    digest: str
    """Of the folder of query files."""


# ---------------------------------------------------------------- builds


class PythonEnvironment(Frozen, frozen=True, kw_only=True, rename="kebab"):
    """What is installed at the stage, in `.venv`, before the recipe's commands run."""

    interpreter: str = "python3"
    """A name on PATH, or an absolute path."""
    extras: tuple[str, ...] = ()
    """Of the project."""
    groups: tuple[str, ...] = ()
    """Dependency groups of the project's pyproject.toml."""
    requirements: tuple[str, ...] = ()
    """Paths of requirements files, below the top of the project."""
    packages: tuple[str, ...] = ()
    """Beside what the project asks for."""
    pretend_version: bool = True
    """Versions that are made from git are the same on both sides."""
    install: bool = True
    """The project itself too, not only what it depends on."""


class Recipe(Frozen, frozen=True, kw_only=True):
    """How a revision becomes a program. Made by `config.load`."""

    commands: tuple[str, ...]
    inputs: tuple[str, ...] = ()
    """Paths; a commit that touches none of them builds nothing. Empty: the whole tree counts."""
    artifacts: tuple[str, ...] = ()
    """Paths that are compared instead of the whole stage. Empty: the whole stage."""
    timeout: Seconds = Seconds(1800.0)
    python: PythonEnvironment | None = None


class Build(Frozen, frozen=True, kw_only=True):
    """What a recipe made of one revision. Made by `builds.cache`."""

    key: str
    """Hex; of all that the build depends on."""
    revision: Revision
    manifest: dict[str, str]
    """Digest of each file of the stage, or of each artifact, by its path below the stage."""
    seconds: Seconds
    """How long it took when it was made."""
    cached: bool
    """It was there already."""


class Identity(Frozen, frozen=True, kw_only=True):
    """Why a query can't have changed: nothing that it reads differs. Made by `builds.identity`."""

    differs: tuple[str, ...]
    """Paths that differ all the same, none of which the query reads; sorted."""


# ---------------------------------------------------------------- counting


class Fingerprint(Frozen, frozen=True, kw_only=True):
    """What a count depends on beside build and query. Made by `counting.fingerprint`."""

    counter: str
    """Version of countci's way of counting; a change makes old counts unknown."""
    valgrind: str
    libc: str
    machine: str
    """Architecture, `x86_64`."""
    cpu: str
    """The tier that valgrind shows the program, at most AVX2: `x86-64-v3`."""
    stage: str
    """Path of the stage."""

    @property
    def platform(self) -> dict[str, str]:
        """All but the stage, by field: totals move with its path, slopes don't."""
        fields: dict[str, str] = msgspec.structs.asdict(self)
        return {name: value for name, value in fields.items() if name != "stage"}

    @property
    def digest(self) -> str:
        """16 hex digits."""
        import hashlib

        return hashlib.sha256(msgspec.json.encode(self)).hexdigest()[:16]


class Point(Frozen, frozen=True, kw_only=True):
    """One counted run."""

    n: int
    """Asks in it."""
    total: int
    """What was counted in the whole process tree."""


class Again(Frozen, frozen=True, kw_only=True):
    """An exact metric, counted once more on the same build: what its noise is read from."""

    points: tuple[Point, ...]
    """The smallest n alone, or the last two, which make a slope of their own."""
    seed: int = 0
    """0: in the same environment. Else with other hash seeds, and other `fixed` numbers."""


class Counts(Frozen, frozen=True, kw_only=True):
    """One exact metric of one query on one build: one to three points on a line."""

    points: tuple[Point, ...]
    """By rising n. One point only: a whole process, start-up included."""
    segments: bool = False
    """Points are groups of asks inside one process: start-up is in none of them."""
    again: tuple[Again, ...] = ()
    """In the order in which they were counted."""

    @property
    def per_ask(self) -> Fraction:
        """Slope of the last two points; the total when there is only one. Exact."""
        if len(self.points) == 1:
            return Fraction(self.points[0].total, self.points[0].n)
        before, last = self.points[-2:]
        return Fraction(last.total - before.total, last.n - before.n)

    @property
    def start_up(self) -> Fraction | None:
        """Intercept: everything around the asks; None where no point has it."""
        if self.segments or len(self.points) == 1:
            return None
        return self.points[0].total - self.points[0].n * self.per_ask

    @property
    def bend(self) -> float | None:
        """Slope of the first two points / `per_ask` - 1; None below three points."""
        if len(self.points) < 3 or not self.per_ask:
            return None
        first, second = self.points[:2]
        early = Fraction(second.total - first.total, second.n - first.n)
        return float(early / self.per_ask - 1)


class Output(Frozen, frozen=True, kw_only=True):
    """Standard output of the first counted run."""

    digest: str
    size: int
    """Bytes."""


class ReadSet(Frozen, frozen=True, kw_only=True):
    """Paths under the stage that a query touched, failed look-ups included."""

    paths: tuple[str, ...]
    """Relative to the stage, sorted; folders that were listed end with `/`."""
    outside: tuple[str, ...] = ()
    """Absolute paths of files elsewhere that were opened, sorted: libraries, an interpreter."""
    unknown: str = ""
    """Why it may not be all of them; empty when it is."""


class Measurement(Frozen, frozen=True, kw_only=True):
    """The exact metrics of one query on one build. Made by `counting`, or taken from the store."""

    query: str
    build: str
    """Key of the build."""
    fingerprint: str
    """Digest of the fingerprint."""
    counts: dict[str, Counts]
    """By metric."""
    output: Output
    reads: ReadSet | None = None
    """None on the side where it was not traced."""
    processes: tuple[str, ...] = ()
    """The programs that were counted together, when more than one."""
    causes: tuple[str, ...] = ()
    """What it asks for that may move its count: `clock`, `random`, `pid`, `threads`."""
    counter: Literal["cachegrind", "callgrind"] = "cachegrind"
    """What counted: callgrind where children are forked without an exec."""
    stored: bool = False
    """It was known before this run."""
    tests: dict[str, str] = {}
    """Of a whole pytest suite: why each test was skipped, by its id; empty for a counted one."""


# ---------------------------------------------------------------- baselines


class Recorded(Frozen, frozen=True, kw_only=True):
    """One exact metric of one query, as a baseline keeps it: four digits after the point."""

    per_ask: Annotated[float, msgspec.Meta(gt=0, lt=1e18)]
    start_up: Annotated[float, msgspec.Meta(gt=-1e18, lt=1e18)] | None
    """None: a whole process was counted."""
    asks: Annotated[tuple[int, ...], msgspec.Meta(min_length=1)]
    """The n of each point."""

    @staticmethod
    def of(counts: Counts) -> Recorded:
        """Return what is kept of `counts`: whoever compares with a record rounds alike."""
        start_up = counts.start_up
        return Recorded(
            per_ask=float(round(counts.per_ask, 4)),
            start_up=None if start_up is None else float(round(start_up, 4)),
            asks=tuple(point.n for point in counts.points),
        )


class RecordedQuery(Frozen, frozen=True, kw_only=True):
    """What a baseline keeps of one query."""

    digest: str
    """Of the query: with another one its counts are of other work."""
    output: Output
    metrics: dict[str, Recorded]
    """The exact ones."""


class Baseline(Frozen, frozen=True, kw_only=True):
    """Counts of one revision on one platform, kept in the repository. Made by `storing`."""

    schema: int = 1
    sha: str
    """40 hex digits of the revision that was counted."""
    subject: str
    fingerprint: dict[str, str]
    """`Fingerprint.platform` of the machine that counted."""
    queries: dict[str, RecordedQuery]
    """By id."""


# ---------------------------------------------------------------- timing


class Run(Frozen, frozen=True, kw_only=True):
    """One timed process. Made by `timing.run`. Times in seconds."""

    wall: float
    user: float
    system: float
    wait: float | None
    """Time spent waiting in the run queue; None when it can't be told (threads, children)."""
    voluntary: int = 0
    """Context switches that the process asked for (it waited for something)."""
    involuntary: int = 0
    faults: int = 0
    """Page faults, minor and major."""
    peak_memory: int = 0
    """Bytes."""
    processor: int = -1
    """The last one it ran on; -1 when unknown."""
    began: float = 0.0
    """Seconds since 1970."""
    values: dict[str, float] = {}
    """Sampled metrics beside time, read from the process's own output, by name."""

    @property
    def time(self) -> float:
        """Wall time less the time spent waiting in the run queue, in seconds."""
        return self.wall - (self.wait or 0.0)

    @property
    def core_share(self) -> float:
        """CPU time / wall time: 1 is a whole core."""
        return (self.user + self.system) / self.wall if self.wall else 0.0


class Pair(Frozen, frozen=True, kw_only=True):
    """One run of base and one of head, next to each other."""

    base: Run
    head: Run
    head_first: bool

    @property
    def on_wall_clock(self) -> bool:
        """Whether a run-queue wait is unknown: taking it off one of two would be a difference."""
        return self.base.wait is None or self.head.wait is None

    @property
    def times(self) -> tuple[float, float]:
        """Time of base and of head, in seconds, by the same clock."""
        if self.on_wall_clock:
            return self.base.wall, self.head.wall
        return self.base.time, self.head.time


class Samples(Frozen, frozen=True, kw_only=True):
    """All timed pairs of one query, in time order. Made by `timing.session`."""

    n: int
    """Asks in each run."""
    pairs: tuple[Pair, ...]
    """For the looks."""
    confirming: tuple[Pair, ...] = ()
    """The fresh block that a provisional failure asks for."""
    control: tuple[Pair, ...] = ()
    """Base against itself: the null control."""


class Wanted(Frozen, frozen=True, kw_only=True):
    """Pairs that are missing before samples can be judged. Made by `judging.sampled.wanted`."""

    block: Literal["pairs", "confirming", "control"]
    """A field of `Samples`."""
    more: int
    """At least 1."""


class Recount(Frozen, frozen=True, kw_only=True):
    """A count that is missing before exact ones can be judged. Made by `judging.recounts`."""

    side: Literal["base", "head"]
    points: tuple[int, ...]
    """The n of each point."""
    seed: int = 0
    """As `Again` says it."""


# ---------------------------------------------------------------- judging


class Status(enum.Enum):
    """From best to worst; a report's status is its worst."""

    PASS = "pass"  # noqa: S105 - not a password
    UNSETTLED = "unsettled"
    FAIL = "fail"
    ERROR = "error"

    @property
    def exit_code(self) -> int:
        """What a run with this worst status ends with."""
        return {"pass": 0, "unsettled": 4, "fail": 1, "error": 3}[self.value]


class Kind(enum.Enum):
    """What became of a query between the two revisions."""

    BOTH = "both"
    NEW = "new"
    GONE = "gone"


class Comparison(Frozen, frozen=True, kw_only=True):
    """Both sides of one query: all that was measured, nothing judged. Made by `pipeline`."""

    query: Query
    kind: Kind = Kind.BOTH
    base: Measurement | None = None
    head: Measurement | None = None
    identity: Identity | None = None
    """Set when the query can't have changed; then head has nothing measured."""
    samples: Samples | None = None
    problem: Problem | None = None
    """What kept the query from being measured."""
    notes: tuple[Reason, ...] = ()
    """What was seen on the way."""


class Change(Frozen, frozen=True, kw_only=True):
    """One metric of one query, judged. Made by `judging`."""

    metric: str
    base: float | None
    head: float | None
    delta: float | None
    """head / base - 1; None where a side has no number or base is 0."""
    limit: Limit
    status: Status
    low: float | None = None
    high: float | None = None
    """Ends of the interval of `delta`, for sampled metrics."""
    noise: float | None = None
    """What the same build shows against itself, as a fraction."""
    pairs: int = 0
    """Pairs that were judged."""
    core_share: float | None = None
    """Median over all runs."""
    disturbed: int = 0
    """Runs whose share of a core fell; they stay in the data."""
    proven: bool = False
    """The delta is 0 by proof (equal builds for this query), and nothing was measured."""
    start_up_base: float | None = None
    start_up_head: float | None = None
    """Exact metrics: what is around the asks; printed, not judged."""
    reasons: tuple[Reason, ...] = ()


class Verdict(Frozen, frozen=True, kw_only=True):
    """One query, judged. Made by `judging`."""

    query: str
    kind: Kind
    status: Status
    """The worst of its changes; `error` when it has a problem."""
    changes: tuple[Change, ...]
    problem: Problem | None = None
    reasons: tuple[Reason, ...] = ()


class Side(Frozen, frozen=True, kw_only=True):
    """What the report says of one of the two builds."""

    revision: Revision
    build: str
    """Key of the build; empty when it failed."""
    build_seconds: Seconds
    build_cached: bool


class Report(Frozen, frozen=True, kw_only=True):
    """Everything a run found out; each reporter renders this, and it is written to result.json."""

    schema: int = 1
    countci: str
    """Version of countci."""
    base: Side
    head: Side
    status: Status
    verdicts: tuple[Verdict, ...]
    """In the order of the query files."""
    comparisons: tuple[Comparison, ...]
    """The raw data, in the same order, so that a reader can judge again."""
    fingerprint: Fingerprint | None
    suites: str
    """Digest of the query files that both sides ran."""
    notices: tuple[Reason, ...] = ()
    """About the run as a whole: loosened limits, changed query files, dependencies that differ."""
    avx512: bool = False
    """The machine has AVX-512, which valgrind doesn't show: programs were counted without it."""
    unsettled_passes: bool = False
    """The configuration says `unsettled = "pass"`: exit code 0 instead of 4."""
    seconds: Seconds = Seconds(0.0)
    """How long the whole run took."""
    command: str = ""
    """What to type to repeat it."""


class Tally(Frozen, frozen=True, kw_only=True):
    """What counting one revision found out. Made by `pipeline.count`."""

    schema: int = 1
    countci: str
    """Version of countci."""
    side: Side
    fingerprint: Fingerprint
    suites: str
    """Digest of the query files."""
    measurements: tuple[Measurement, ...]
    """In the order of the query files."""
    problems: dict[str, Problem]
    """What kept a query from being counted, by its id."""
