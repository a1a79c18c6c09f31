"""Every derived number of the published tables comes out of the project's own functions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from countci.judging import coarse
from countci.judging.deltas import deltas
from countci.judging.disturbed import disturbed
from countci.judging.statistics import (
    geometric_mean,
    median,
    median_of_deltas,
    speed_up,
)
from countci.model import Limit, Metric, Pair, Run, Samples, Status
from countci.model.memory import slope
from countci.readers import READERS, chosen
from tests.unit.judging.published import MEAN, Printed, Row, column, speed_ups, table

SPEED_UPS = (
    *("aim9", "lmbench", "chat_2.4.19", "chat_2.5.32"),
    *("dbench_2.4.19", "dbench_2.5.32", "tbench_2.4.19", "tbench_2.5.32"),
)
MEANS = [name for name in SPEED_UPS if name not in {"aim9", "lmbench"}]
MISPRINT = ("chat_2.5.32", "40")
"""Printed as 231,509 messages a second; its own mean is that of 213,509."""
CUT = (MISPRINT, ("lmbench", "Signal handler installation"))
"""47.8 % and 0.64 % of the numbers as they stand, printed as 47 and 0: cut, not rounded."""


def rows(name: str) -> list[Row]:
    """Return the rows of a table, the misprint mended."""
    return [
        replace(row, head=Printed("213509")) if (name, row.name) == MISPRINT else row
        for row in speed_ups(name)
    ]


def close(found: float, printed: Printed) -> bool:
    low, high = printed.ends
    return low <= found <= high


def test_the_one_misprint_is_told_by_its_own_row() -> None:
    strays = [(name, row.name) for name in SPEED_UPS for row in speed_ups(name) if not row.agrees]

    assert strays == [MISPRINT]


def test_the_misprint_is_told_by_its_mean_and_two_digits_changed_places() -> None:
    printed = {row.name: row.head for row in speed_ups(MISPRINT[0])}
    others = [head.value for name, head in printed.items() if name not in {MEAN, MISPRINT[1]}]

    as_printed = geometric_mean([*others, printed[MISPRINT[1]].value])
    assert not close(as_printed, printed[MEAN])
    meant = printed[MEAN].value ** 4 / (others[0] * others[1] * others[2])
    assert meant == pytest.approx(213_509, abs=5)
    assert sorted("213509") == sorted(printed[MISPRINT[1]].text)


@pytest.mark.parametrize("name", SPEED_UPS)
def test_speed_ups_are_the_whole_percents_that_were_printed(name: str) -> None:
    for row in rows(name):
        shown = int(row.computed) if (name, row.name) in CUT else round(row.computed)
        assert shown == row.percent.value, row


@pytest.mark.parametrize("name", MEANS)
def test_the_last_row_is_the_geometric_mean_of_each_column(name: str) -> None:
    *body, mean = rows(name)

    assert mean.name == MEAN
    base = geometric_mean([row.base.value for row in body])
    head = geometric_mean([row.head.value for row in body])
    tolerance = 1.0 if "chat" in name else 0.005
    assert base == pytest.approx(mean.base.value, abs=tolerance)
    assert head == pytest.approx(mean.head.value, abs=tolerance)
    assert round(100 * speed_up(base, head, better="higher")) == mean.percent.value
    ratios = [row.head.value / row.base.value for row in body]
    assert geometric_mean(ratios) == pytest.approx(head / base)


def test_messages_of_a_chat_are_those_that_hackbench_passes() -> None:
    for row in table("chat_sizes"):
        rooms, total = int(row["rooms"]), int(row["total"])
        text = (
            f"Running in threaded mode with {rooms} groups using 40 file descriptors each\n"
            "Each sender will pass 100 messages of 100 bytes\nTime: 1.000\n"
        )
        assert chosen(READERS["hackbench"], text, ("rate",)) == {"rate": total}
        assert int(row["sent"]) + int(row["received"]) == total
        assert int(row["connections"]) * 4 == int(row["threads"])


def test_instructions_per_ask_moved_as_printed() -> None:
    for row in speed_ups("instructions_per_ask"):
        moved = 100 * median_of_deltas([row.base.value], [row.head.value])
        assert moved == pytest.approx(row.computed)
        assert row.agrees, row


def test_memory_grows_by_less_than_its_limit_and_threads_are_constant() -> None:
    points = {
        int(row["apps"]): (float(row["private_dirty_kib"]), float(row["threads"]))
        for row in table("memory")
        if row["arrangement"] == "host"
    }
    added = float(slope({1: points[1][0], 100: points[100][0]}))

    assert added == pytest.approx(120.24, abs=0.005)
    size = Metric(name="private_dirty", unit="bytes", exact=False)
    limit = Limit(form="amount", amount=216 * 1024)
    assert decided(size, limit, (0, added * 1024)) is Status.PASS
    assert decided(size, limit, (0, 217 * 1024)) is Status.FAIL
    threads = Metric(name="threads", unit="", exact=False)
    constant = Limit(form="constant")
    assert decided(threads, constant, (points[1][1], points[100][1])) is Status.PASS
    assert decided(threads, constant, (points[1][1], 4)) is Status.FAIL


@pytest.mark.parametrize(
    ("arrangement", "ratio", "status"),
    [
        ("two_processes", 3.11, Status.FAIL),
        ("host", 1.50, Status.PASS),
        ("host_one_connection_thread", 4.86, Status.FAIL),
    ],
)
def test_isolation_is_judged_by_the_ratio_of_the_99th_percentiles(
    arrangement: str, ratio: float, status: Status
) -> None:
    alone, saturated, *_ = column("isolation", arrangement)
    p99 = Metric(name="p99", unit="µs", exact=False)

    assert saturated / alone == pytest.approx(ratio, abs=0.005)
    assert decided(p99, Limit(share=0.5, form="ratio"), (alone, saturated)) is status


def test_the_sum_of_throughputs_is_not_a_tenth_lower() -> None:
    row = next(row for row in table("isolation") if row["metric"].startswith("sum"))
    both = {name: float(value) for name, value in row.items() if name != "metric"}

    moved = {
        name: speed_up(both["two_processes"], value, better="higher")
        for name, value in both.items()
    }
    assert moved["host"] == pytest.approx(-0.0007, abs=5e-5)
    assert moved["host_one_connection_thread"] == pytest.approx(-0.046, abs=5e-4)
    assert min(moved.values()) > -0.1


def test_transactions_moved_as_printed_by_either_rule() -> None:
    before, after = column("tpcc_pairs", "before_tx_per_s"), column("tpcc_pairs", "after_tx_per_s")

    assert median(after) / median(before) - 1 == pytest.approx(0.0116, abs=5e-5)
    assert median(after[:4]) / median(before[:4]) - 1 == pytest.approx(0.0086, abs=5e-5)
    assert median_of_deltas(before, after) == pytest.approx(-0.0106, abs=5e-5)
    assert median_of_deltas(before[:4], after[:4]) == pytest.approx(0.0056, abs=5e-5)


def test_the_pairs_that_were_marked_are_those_whose_share_of_a_core_fell() -> None:
    marked = [row["marked"] == "after disturbed" for row in table("tpcc_pairs")]

    assert disturbed(column("tpcc_pairs", "after_owner_core_share")) == tuple(marked)
    assert not any(disturbed(column("tpcc_pairs", "before_owner_core_share")))


def decided(metric: Metric, limit: Limit, medians: tuple[float, float]) -> Status:
    """Return what six equal pairs say."""
    base, head = (
        Run(wall=1.0, user=1.0, system=0.0, wait=0.0, values={metric.name: value})
        for value in medians
    )
    samples = Samples(n=1, pairs=(Pair(base=base, head=head, head_first=False),) * 6)
    assert medians[0] == 0 or deltas(samples, metric) is not None
    return coarse.decide(samples, limit, metric, medians).status
