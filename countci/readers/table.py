"""Every reader, by the word that a query file calls it. To add one: write it, list it."""

from __future__ import annotations

from collections.abc import Mapping

from countci.readers.ab import AB
from countci.readers.dbench import DBENCH
from countci.readers.fio import FIO
from countci.readers.google_benchmark import GOOGLE_BENCHMARK
from countci.readers.h2load import H2LOAD
from countci.readers.hackbench import HACKBENCH
from countci.readers.hey import HEY
from countci.readers.hyperfine import HYPERFINE
from countci.readers.lmbench import LMBENCH
from countci.readers.perf_bench import PERF_BENCH
from countci.readers.pgbench import PGBENCH
from countci.readers.pyperf import PYPERF
from countci.readers.reader import Reader
from countci.readers.redis_benchmark import REDIS_BENCHMARK
from countci.readers.stress_ng import STRESS_NG
from countci.readers.sysbench import SYSBENCH
from countci.readers.wrk import WRK

READERS: Mapping[str, Reader] = {
    "ab": AB,
    "dbench": DBENCH,
    "fio": FIO,
    "google-benchmark": GOOGLE_BENCHMARK,
    "h2load": H2LOAD,
    "hackbench": HACKBENCH,
    "hey": HEY,
    "hyperfine": HYPERFINE,
    "lmbench": LMBENCH,
    "perf-bench": PERF_BENCH,
    "pgbench": PGBENCH,
    "pyperf": PYPERF,
    "redis-benchmark": REDIS_BENCHMARK,
    "stress-ng": STRESS_NG,
    "sysbench": SYSBENCH,
    "tbench": DBENCH,
    "wrk": WRK,
}
