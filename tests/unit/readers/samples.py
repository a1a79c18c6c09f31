"""Real output of each program, good and bad; the numbers in it were read by eye."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_FOLDER = Path(__file__).parents[2] / "data" / "readers"


@dataclass(frozen=True, kw_only=True)
class Good:
    """An output, and all that its reader finds in it by a metric's plain name, or its part's."""

    file: str
    reader: str
    values: Mapping[str, float]


def text_of(file: str) -> str:
    return (_FOLDER / file).read_text(encoding="utf-8")


def names() -> set[str]:
    return {path.name for path in _FOLDER.iterdir()}


_RATES = {"switch": 158057.747997, "pipe": 144346.239179, "fork": 31.996826}
GOOD = tuple(
    Good(file=file, reader=reader, values=values)
    for file, reader, values in (
        ("ab.txt", "ab", {"rate": 16646.52, "latency": 60.073, "p50": 58, "p90": 63, "p99": 66}),
        ("ab_keepalive.txt", "ab", {"rate": 80541.65, "latency": 0.124}),
        ("dbench.txt", "dbench", {"throughput": 344.433, "max_latency": 40.751}),
        ("tbench.txt", "tbench", {"throughput": 579.193, "max_latency": 24.135}),
        (
            "fio.json",
            "fio",
            {
                "iops": 990.004998,
                "read_iops": 990.004998,
                "read_bandwidth": 4055060,
                "read_latency": 0.064850532,
                "read_p99": 0.124416,
                "r.iops": 990.004998,
            },
        ),
        (
            "google_benchmark.json",
            "google-benchmark",
            {
                "sum_million.real_time": 4.33708101974e-4,
                "sum_million.cpu_time": 1.43014575130e-4,
                "sorted_list/repeats:3.real_time": 1.6220442327e-5,
            },
        ),
        ("h2load.txt", "h2load", {"rate": 60762.57, "latency": 0.058}),
        ("h2load_timed.txt", "h2load", {"rate": 46254.67, "latency": 0.214}),
        ("hackbench.txt", "hackbench", {"elapsed": 0.241, "rate": 2 * 400 * 100 / 0.241}),
        (
            "hackbench_chat.txt",
            "hackbench",
            {
                "20.elapsed": 1.187,
                "20.rate": 800_000 / 1.187,
                "30.rate": 1_200_000 / 1.748,
                "40.rate": 1_600_000 / 2.339,
                "50.rate": 2_000_000 / 2.942,
            },
        ),
        ("hey.txt", "hey", {"rate": 27764.9367, "latency": 34.7, "p50": 31.2, "p99": 127.7}),
        (
            "hyperfine.json",
            "hyperfine",
            {"sleep 0.01.median": 0.014237187, "true.median": 0.002832687, "true.max": 0.006178496},
        ),
        (
            "lmbench.txt",
            "lmbench",
            {
                "simple_syscall.latency": 0.1649,
                "simple_open_close.latency": 2.3926,
                "select_on_10_fds.latency": 0.4668,
                "pipe_latency.latency": 7.0143,
                "process_fork_exit.latency": 1483.1744,
            },
        ),
        ("perf_pipe.txt", "perf-bench", {"elapsed": 0.103, "latency": 5.1539, "rate": 194027}),
        ("perf_pipe_simple.txt", "perf-bench", {"elapsed": 0.145}),
        (
            "perf_memcpy.txt",
            "perf-bench",
            {"default.throughput": 45.023628, "x86-64-movsb.throughput": 41.450021},
        ),
        (
            "perf_memcpy_simple.txt",
            "perf-bench",
            {"default.throughput": 16726367841.761045 / 2**30},
        ),
        ("perf_futex.txt", "perf-bench", {"rate": 1013248, "futex/hash.rate": 1013248}),
        ("perf_epoll_simple.txt", "perf-bench", {"rate": 165485}),
        ("perf_messaging.txt", "perf-bench", {"elapsed": 0.214}),
        ("perf_syscall.txt", "perf-bench", {"latency": 0.253377, "rate": 3946683}),
        ("pgbench.txt", "pgbench", {"rate": 32975.276315, "latency": 0.107}),
        ("pgbench_rate.txt", "pgbench", {"rate": 1005.513914, "latency": 0.243}),
        ("pyperf.json", "pyperf", {"median": 1.31109972e-8, "mean": 1.31217e-8}),
        (
            "redis_benchmark.csv",
            "redis-benchmark",
            {"SET.rate": 54495.91, "GET.rate": 27510.32, "GET.p99": 5.519, "SET.latency": 0.123},
        ),
        (
            "redis_benchmark.txt",
            "redis-benchmark",
            {"rate": 36563.07, "GET.rate": 36563.07, "latency": 0.192, "p95": 0.207, "p99": 2.687},
        ),
        ("stress_ng.yaml", "stress-ng", {"rate": 2732.313877, "cpu_rate": 2328.302592}),
        (
            "stress_ng_five.yaml",
            "stress-ng",
            {f"{name}.rate": rate for name, rate in _RATES.items()},
        ),
        ("sysbench.txt", "sysbench", {"rate": 191.35, "latency": 0.07, "p95": 0.08}),
        (
            "wrk.txt",
            "wrk",
            {"rate": 66549.35, "latency": 83.54, "p50": 0.065, "p75": 125.34, "p99": 485.86},
        ),
        ("wrk_json.txt", "wrk", {"rate": 135459.77, "latency": 0.05732}),
        ("wrk2.txt", "wrk", {"rate": 997.29, "p50": 9.56, "p99": 491.77}),
    )
)

BAD = (
    ("ab_usage.txt", "ab", "no count of failed requests"),
    ("ab_version.txt", "ab", "no count of failed requests"),
    ("ab_percentiles.csv", "ab", "no count of failed requests"),
    ("google_benchmark_error.json", "google-benchmark", "no database"),
    ("h2load_refused.txt", "h2load", "40 requests failed"),
    ("h2load_requests.log", "h2load", "no count of requests that succeeded"),
    ("hey_requests.csv", "hey", "no requests per second"),
    ("hyperfine_failed.json", "hyperfine", "false failed"),
    ("perf_stat.txt", "perf-bench", "no result"),
    ("pgbench_transactions.log", "pgbench", "no count of failed transactions"),
    ("wrk_refused.txt", "wrk", "Connection refused"),
)
