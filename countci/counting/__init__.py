"""Exact metrics: Command to cachegrind to Profile to Counts to Measurement."""

from countci.counting.batch import Request, count_all
from countci.counting.callgraph_runs import Graphed, cost_graph
from countci.counting.costgraph import Calls, CostGraph, Edge, Row
from countci.counting.engine import Counted, count
from countci.counting.environment import environment
from countci.counting.fingerprint import avx512, cpuinfo, fingerprint, tier
from countci.counting.more import TOOLS, Found, More, count_more
from countci.counting.outcome import Outcome
from countci.counting.preloads import preload
from countci.counting.profile import Profile, parse
from countci.counting.readset import read_set, united
from countci.counting.request import Asks, Count
from countci.counting.simulation import Misses, misses
from countci.counting.snapshots import Segmented
from countci.counting.suites import Suite
from countci.counting.symbols import cleaned
from countci.counting.traced import traced
from countci.counting.traces import Function, Trace
from countci.counting.watched import run_watched

__all__ = [
    "TOOLS",
    "Asks",
    "Calls",
    "CostGraph",
    "Count",
    "Counted",
    "Edge",
    "Found",
    "Function",
    "Graphed",
    "Misses",
    "More",
    "Outcome",
    "Profile",
    "Request",
    "Row",
    "Segmented",
    "Suite",
    "Trace",
    "avx512",
    "cleaned",
    "cost_graph",
    "count",
    "count_all",
    "count_more",
    "cpuinfo",
    "environment",
    "fingerprint",
    "misses",
    "parse",
    "preload",
    "read_set",
    "run_watched",
    "tier",
    "traced",
    "united",
]
