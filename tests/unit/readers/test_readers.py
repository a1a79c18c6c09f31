from __future__ import annotations

import pytest

from countci.errors import MeasureError
from countci.readers import READERS, chosen
from tests.unit.readers.samples import BAD, GOOD, Good, names, text_of


def quoted(text: str, error: MeasureError) -> bool:
    """Whether the error shows something that the output says."""
    shown = error.detail.removeprefix("it says: ").splitlines()
    return any(line.strip() and line.strip() in text for line in shown)


def refused(text: str, reader: str, *metrics: str) -> MeasureError:
    with pytest.raises(MeasureError) as caught:
        chosen(READERS[reader], text, metrics or READERS[reader].usual)
    return caught.value


@pytest.mark.parametrize("good", GOOD, ids=lambda good: good.file)
def test_every_reader_reads_what_its_program_prints(good: Good) -> None:
    found = chosen(READERS[good.reader], text_of(good.file), tuple(good.values))

    assert found == pytest.approx(good.values, rel=1e-5)


@pytest.mark.parametrize("good", GOOD, ids=lambda good: good.file)
def test_every_number_has_a_unit_and_a_direction(good: Good) -> None:
    reader = READERS[good.reader]

    for name in reader.read(text_of(good.file)):
        metric = reader.metric(name)
        assert metric is not None, name
        assert metric.name == name
        assert metric.unit
        rises = {"rate", "cpu_rate", "throughput", "iops", "bandwidth"}
        plain = name.rpartition(".")[2].removeprefix("read_")
        assert metric.better == ("higher" if plain in rises else "lower"), name


@pytest.mark.parametrize(("file", "reader", "said"), BAD, ids=[bad[0] for bad in BAD])
def test_output_of_a_run_that_went_wrong_is_an_error(file: str, reader: str, said: str) -> None:
    assert said in str(refused(text_of(file), reader))


def test_every_reader_and_every_sample_is_tried() -> None:
    assert {good.reader for good in GOOD} == set(READERS)
    assert {good.file for good in GOOD} | {bad[0] for bad in BAD} == names()


@pytest.mark.parametrize(
    ("file", "reader", "old", "new", "said"),
    [
        ("ab.txt", "ab", "Failed requests:        0", "Failed requests:        3", "3 failed req"),
        ("ab.txt", "ab", "Total tr", "Non-2xx responses:      5\nTotal tr", "5 Non-2xx responses"),
        ("ab.txt", "ab", "Total tr", "Write errors:           1\nTotal tr", "1 Write errors"),
        ("ab.txt", "ab", "16646.52", "0.00", "rate is 0"),
        ("ab.txt", "ab", "16646.52", "nan", "rate is no number"),
        (
            "wrk.txt",
            "wrk",
            "Requests/sec",
            "  Socket errors: connect 0, read 2, write 0, timeout 3\nRequests/sec",
            "5 socket errors",
        ),
        (
            "wrk.txt",
            "wrk",
            "Requests/sec",
            "  Socket errors: connect 0, re\nRequests/sec",
            "count of errors can't be read",
        ),
        (
            "wrk.txt",
            "wrk",
            "Requests/sec",
            "  Non-2xx or 3xx responses: 9\nRequests/sec",
            "9 responses that are errors",
        ),
        ("wrk.txt", "wrk", "66549.35", "inf", "rate is no number"),
        ("h2load.txt", "h2load", "400 done, 400 succ", "400 done, 399 succ", "399 of 400 requests"),
        ("h2load.txt", "h2load", "0 errored", "2 errored", "2 requests errored"),
        ("h2load.txt", "h2load", "0 timeout", "1 timeout", "1 requests timed out"),
        ("h2load.txt", "h2load", "0 5xx", "7 5xx", "7 responses that are errors"),
        (
            "hey.txt",
            "hey",
            "[200]\t56822 responses",
            "[200]\t56802 responses\n  [503]\t20 responses",
            "20 responses with status 503",
        ),
        ("hey.txt", "hey", "56822 responses", "50000 responses", "50000 answers to 56821 requests"),
        (
            "hey.txt",
            "hey",
            "56822 responses",
            "56822 responses\n\nError distribution:\n  [3]\tEOF",
            "requests failed",
        ),
        (
            "pgbench.txt",
            "pgbench",
            "failed transactions: 0 (0",
            "failed transactions: 12 (0",
            "12 failed transactions",
        ),
        ("pgbench_rate.txt", "pgbench", "skipped: 0", "skipped: 8", "8 skipped transactions"),
        ("pgbench.txt", "pgbench", "processed: 98643", "processed: 90/100", "10 missing"),
        (
            "redis_benchmark.txt",
            "redis-benchmark",
            "Summary:",
            "Error from server: LOADING\nSummary:",
            "answered with an error",
        ),
        ("redis_benchmark.csv", "redis-benchmark", "27510.32", "-nan", "GET.rate is no number"),
        (
            "sysbench.txt",
            "sysbench",
            "events:              383",
            "events:                0",
            "nothing was done",
        ),
        (
            "sysbench.txt",
            "sysbench",
            "CPU speed",
            "ignored errors:    4      (2.00 per sec.)\nCPU",
            "4 ignored errors",
        ),
        ("sysbench.txt", "sysbench", "CPU speed", "FATAL: no connection\nCPU speed", "it gave up"),
        ("fio.json", "fio", '"error" : 0', '"error" : 28', "a job met an error"),
        ("fio.json", "fio", '"drop_ios" : 0', '"drop_ios" : 2', "a job met an error"),
        ("fio.json", "fio", '"iops" : 990.004998', '"iops" : NaN', "iops is no number"),
        ("fio.json", "fio", '"total_ios" : 1981', '"total_ios" : 0', "nothing was read or written"),
        ("stress_ng.yaml", "stress-ng", "max-rss: 2400", "failed: 1", "1 failures"),
        ("stress_ng.yaml", "stress-ng", "2732.313877", "0.000000", "rate is 0"),
        (
            "dbench.txt",
            "dbench",
            "   0  cleanup",
            "Child failed with status 1\n   0  cleanup",
            "a client failed",
        ),
        ("dbench.txt", "dbench", "344.433 MB", "0 MB", "throughput is 0"),
        (
            "dbench.txt",
            "dbench",
            "\nThroughput",
            "\nThroughput 9 MB/sec\nThroughput",
            "2 lines tell",
        ),
        (
            "hackbench.txt",
            "hackbench",
            "Time:",
            "CLIENT: ready write (error: EPIPE)\nTime:",
            "a sender or receiver failed",
        ),
        ("hackbench.txt", "hackbench", "0.241", "0.000", "elapsed is 0"),
        ("hackbench_chat.txt", "hackbench", "with 30 groups", "with 20 groups", "as many groups"),
        ("perf_pipe.txt", "perf-bench", "0.103", "0.000", "elapsed is 0"),
        (
            "perf_pipe.txt",
            "perf-bench",
            "\n     Total",
            "\n Total time: 1 [sec]\n Total",
            "several",
        ),
        ("google_benchmark.json", "google-benchmark", '"ns"', '"weeks"', "no unit of time"),
        ("pyperf.json", "pyperf", '"unit": "second"', '"unit": "byte"', "is in bytes"),
        ("pyperf.json", "pyperf", "1.324299955740571e-08", "NaN", "median is no number"),
        ("hyperfine.json", "hyperfine", '"sleep 0.01"', '"true"', "several commands are true"),
        ("lmbench.txt", "lmbench", "Simple read", "Simple syscall", "several lines tell"),
    ],
)
def test_a_number_beside_an_error_or_that_is_none_is_an_error_that_quotes_the_line(
    file: str, reader: str, old: str, new: str, said: str
) -> None:
    text = text_of(file)
    assert old in text
    wrong = text.replace(old, new, 1)
    metrics = [name for good in GOOD if good.file == file for name in good.values]

    error = refused(wrong, reader, *metrics)

    assert said in str(error)
    assert quoted(wrong, error) or file.endswith(".json")


def test_a_call_that_failed_fast_is_not_taken_for_a_fast_one() -> None:
    error = refused(text_of("lmbench.txt"), "lmbench", "process_fork_bin_sh_c.latency")

    assert "beside an error" in str(error)
    assert "hello: not found" in str(error)
    assert "2138.4074" in str(error)


def test_stress_ng_without_its_metrics_says_what_adds_them() -> None:
    text = text_of("stress_ng.yaml")
    without = text[: text.index("metrics:")] + "...\n"

    assert "--metrics-brief" in str(refused(without, "stress-ng"))


def test_whole_milliseconds_that_are_0_are_an_error_only_when_they_are_asked_for() -> None:
    text = text_of("ab_keepalive.txt")

    assert chosen(READERS["ab"], text, ("rate",)) == {"rate": 80541.65}
    assert "p50 is 0" in str(refused(text, "ab", "p50"))


def test_of_several_parts_the_plain_name_is_an_error_that_lists_them() -> None:
    error = refused(text_of("redis_benchmark.csv"), "redis-benchmark")

    assert "no rate" in str(error)
    assert "SET.rate" in str(error)
    assert "GET.rate" in str(error)


def test_the_median_stands_for_repetitions_that_were_left_out() -> None:
    text = text_of("google_benchmark.json").replace('"iteration"', '"left out"')
    only = text.replace('"left out"', '"aggregate"')

    name = "sorted_list/repeats:3.real_time"
    assert chosen(READERS["google-benchmark"], only, (name,))[name] == pytest.approx(1.622e-5, 1e-3)


@pytest.mark.parametrize("reader", ["ab", "wrk", "h2load", "hey", "redis-benchmark"])
def test_latencies_of_a_closed_loop_say_so_and_are_not_judged_unasked(reader: str) -> None:
    every = READERS[reader].metrics

    for name, metric in every.items():
        closed = "closed\N{NO-BREAK SPACE}loop" in metric.unit
        assert closed is (name != "rate")
    assert READERS[reader].usual == ("rate",)
