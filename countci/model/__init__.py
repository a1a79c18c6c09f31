"""Every type that travels from one stage to the next. Frozen; made once, where its docstring says.

One file a stage, in the order of the flow: revisions, queries, builds, counts, timing, verdicts,
report. They are msgspec structs because the report is written to JSON and read back; a field's
docstring tells its unit.
"""

from countci.model.baselines import Baseline, Recorded, RecordedQuery
from countci.model.builds import Build, Identity, PythonEnvironment, Recipe
from countci.model.counts import Again, Counts, Fingerprint, Measurement, Output, Point, ReadSet
from countci.model.explanations import Blame, Cause, CauseKind, Explanation, Hunk, Moved
from countci.model.frozen import Frozen
from countci.model.history import Bisection, Commit, Entry, History, Reading, Step
from countci.model.memory import (
    MEMORY_LIMITS,
    MEMORY_METRICS,
    MemoryWork,
    held_of,
    is_slope,
    reading,
    slope,
)
from countci.model.metrics import (
    ALLOCATED_BYTES,
    ALLOCATIONS,
    DEFAULT_LIMITS,
    INSTRUCTIONS,
    METRICS,
    PEAK_MEMORY,
    SYSCALLS,
    TIME,
    Limit,
    Metric,
    default_limit,
)
from countci.model.placements import (
    APART,
    NOT_MEASURABLE,
    ONE_CORE,
    ONE_THREAD,
    PLACEMENTS,
    SEPARATE_CORES,
)
from countci.model.queries import (
    CommandWork,
    Loosened,
    OutputWork,
    PytestWork,
    PythonWork,
    Query,
    Suites,
    Work,
)
from countci.model.reasons import Problem, Reason
from countci.model.report import Merged, Report, Shard, Side, Tally
from countci.model.revisions import Acceptance, Revision
from countci.model.servers import HttpRequest, Load, Method, Ready, ServerWork, ThreadUse
from countci.model.timing import Pair, Recount, Run, Samples, Wanted
from countci.model.variants import Variant
from countci.model.verdicts import Change, Comparison, Kind, Status, Verdict

__all__ = [
    "ALLOCATED_BYTES",
    "ALLOCATIONS",
    "APART",
    "DEFAULT_LIMITS",
    "INSTRUCTIONS",
    "MEMORY_LIMITS",
    "MEMORY_METRICS",
    "METRICS",
    "NOT_MEASURABLE",
    "ONE_CORE",
    "ONE_THREAD",
    "PEAK_MEMORY",
    "PLACEMENTS",
    "SEPARATE_CORES",
    "SYSCALLS",
    "TIME",
    "Acceptance",
    "Again",
    "Baseline",
    "Bisection",
    "Blame",
    "Build",
    "Cause",
    "CauseKind",
    "Change",
    "CommandWork",
    "Commit",
    "Comparison",
    "Counts",
    "Entry",
    "Explanation",
    "Fingerprint",
    "Frozen",
    "History",
    "HttpRequest",
    "Hunk",
    "Identity",
    "Kind",
    "Limit",
    "Load",
    "Loosened",
    "Measurement",
    "MemoryWork",
    "Merged",
    "Method",
    "Metric",
    "Moved",
    "Output",
    "OutputWork",
    "Pair",
    "Point",
    "Problem",
    "PytestWork",
    "PythonEnvironment",
    "PythonWork",
    "Query",
    "ReadSet",
    "Reading",
    "Ready",
    "Reason",
    "Recipe",
    "Recorded",
    "RecordedQuery",
    "Recount",
    "Report",
    "Revision",
    "Run",
    "Samples",
    "ServerWork",
    "Shard",
    "Side",
    "Status",
    "Step",
    "Suites",
    "Tally",
    "ThreadUse",
    "Variant",
    "Verdict",
    "Wanted",
    "Work",
    "default_limit",
    "held_of",
    "is_slope",
    "reading",
    "slope",
]
