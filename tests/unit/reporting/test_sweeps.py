from __future__ import annotations

import csv
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from countci.model import (
    Change,
    Comparison,
    Kind,
    Limit,
    Metric,
    Pair,
    Report,
    Run,
    Samples,
    Status,
    Verdict,
)
from countci.reporting import Look
from countci.reporting.plots import draw
from countci.reporting.sweeps import Sweep, speed_up, sweeps
from countci.reporting.table import REPORTERS
from tests.conftest import Golden
from tests.reports import PASSED, query, report

PUBLISHED = Path(__file__).parents[2] / "data" / "published"
LOOK = Look(width=100, colour=False)
RATE = Metric(name="throughput", unit="MB/s", exact=False, better="higher")
LATENCY = Metric(name="latency", unit="µs", exact=False)
LIMIT = Limit(share=0.03)
_SVG = "{http://www.w3.org/2000/svg}"


def measured(
    values: dict[str, str], metric: Metric, base: float, head: float
) -> tuple[Comparison, Verdict]:
    """Return one point of the sweep `bank/load`, its runs 2 % apart on both sides."""
    name = f"load[{','.join(f'{axis}={value}' for axis, value in values.items())}]"
    asked = replace(query(name), sweep=values, metrics=(metric.name,), own={metric.name: metric})
    pairs = tuple(
        Pair(base=run(metric, base * much), head=run(metric, head * much), head_first=False)
        for much in (0.98, 0.99, 1.0, 1.01, 1.02)
    )
    change = Change(
        metric=metric.name,
        base=base,
        head=head,
        delta=head / base - 1,
        limit=LIMIT,
        status=Status.PASS,
        own=metric,
        pairs=5,
    )
    verdict = Verdict(query=asked.id, kind=Kind.BOTH, status=Status.PASS, changes=(change,))
    return Comparison(query=asked, samples=Samples(n=1, pairs=pairs)), verdict


def run(metric: Metric, number: float) -> Run:
    return Run(wall=1.0, user=0.0, system=0.0, wait=None, values={metric.name: number})


def by_clients(metric: Metric = RATE) -> Report:
    numbers = {"20": (100.0, 125.0), "30": (200.0, 200.0), "60": (400.0, 320.0)}
    points = [measured({"clients": at}, metric, *both) for at, both in numbers.items()]
    others = zip(PASSED.comparisons[:1], PASSED.verdicts[:1], strict=True)
    return report(Status.PASS, (*others, *points))


def plain(text: str) -> str:
    """Return text with blanks that may break."""
    return text.replace("\N{NO-BREAK SPACE}", " ")


def published(name: str, key: str, metric: Metric) -> tuple[Sweep, list[str]]:
    """Return a published table as a sweep, and its own column of speed-ups."""
    with (PUBLISHED / f"{name}.csv").open(encoding="utf-8") as stream:
        rows = [
            [text for text in each.values() if text is not None] for each in csv.DictReader(stream)
        ]
    rows = [row for row in rows if row[0].isdigit()]
    points = [measured({key: row[0]}, metric, float(row[1]), float(row[2])) for row in rows]
    (found,) = sweeps(report(Status.PASS, tuple(points)))
    return found, [row[3] for row in rows]


def test_a_sweep_is_one_table_of_its_own_with_the_geometric_mean_last() -> None:
    (sweep,) = sweeps(by_clients())

    assert (sweep.query, sweep.axes, sweep.formula) == ("bank/load", ("clients",), "b/a − 1")
    rows = sweep.rows()
    assert [row.query for row in rows] == ["20", "30", "60", "geometric mean"]
    assert [plain(row.speed_up) for row in rows] == ["+25.0 %", "0 %", "−20.0 %", "0 %"]
    assert [plain(each) for each in (rows[-1].base, rows[-1].head)] == ["200.0 MB/s"] * 2


def test_less_of_what_takes_time_is_a_speed_up() -> None:
    (sweep,) = sweeps(by_clients(LATENCY))

    assert sweep.formula == "(a − b)/a"
    assert [plain(row.speed_up) for row in sweep.rows()] == ["−25.0 %", "0 %", "+20.0 %", "0 %"]
    assert [plain(row.change) for row in sweep.rows()] == ["+25.0 %", "0 %", "−20.0 %", "0 %"]


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("dbench_2.4.19", "clients"),
        ("dbench_2.5.32", "clients"),
        ("tbench_2.4.19", "clients"),
        ("tbench_2.5.32", "clients"),
        ("chat_2.4.19", "rooms"),
    ],
)
def test_published_tables_have_the_speed_ups_of_their_own_rows(name: str, key: str) -> None:
    sweep, told = published(name, key, RATE)

    found = [each.change.delta for each in sweep.points]
    ours = [speed_up(RATE, delta) * 100 for delta in found if delta is not None]

    # Whole percents, of numbers that were rounded before.
    assert ours == pytest.approx([float(each) for each in told], abs=1.01)


def test_a_mean_of_some_rows_is_not_shown_as_one_of_all() -> None:
    whole = by_clients()
    last = whole.verdicts[-1]
    broken = replace(last.changes[0], head=None, delta=None, status=Status.ERROR)
    cut = replace(whole, verdicts=(*whole.verdicts[:-1], replace(last, changes=(broken,))))

    (sweep,) = sweeps(cut)

    assert [row.query for row in sweep.rows()] == ["20", "30", "60"]


def test_in_the_terminal_a_sweep_leaves_the_table_of_its_metric_alone() -> None:
    text = plain(REPORTERS["terminal"].render(by_clients(), LOOK))

    assert "bank/load by clients: Throughput, limit 3 %" in text
    assert "speed-up b/a − 1, a is base and b is head" in text
    table = text.partition("bank/load by clients")[0]
    assert "bank/load" not in table.partition("Instructions")[2]


@pytest.mark.parametrize("name", ["terminal", "markdown", "html", "svg"])
def test_a_sweep_reads_as_recorded(name: str, golden: Golden) -> None:
    reporter = REPORTERS[name]
    golden(f"tests/golden/sweep.{reporter.suffix}", reporter.render(by_clients(), LOOK))


def picture(shown: Report) -> ET.Element:
    return ET.fromstring(REPORTERS["svg"].render(shown, LOOK))  # noqa: S314 - our own


def marks(root: ET.Element, kind: str) -> list[ET.Element]:
    return root.findall(f".//{_SVG}*[@class='{kind}']")


def test_a_plot_has_both_sides_their_spread_and_a_dot_for_each_value() -> None:
    root = picture(by_clients())

    assert [len(marks(root, kind)) for kind in ("line", "other", "spread", "otherspread")] == [
        1
    ] * 4
    assert len(marks(root, "dot")) == len(marks(root, "otherdot")) == 3
    heights = [float(each.attrib["cy"]) for each in marks(root, "dot")]
    assert heights == sorted(heights, reverse=True)  # head grows with the clients


def test_values_lie_where_their_size_says_and_words_in_their_order() -> None:
    xs = [float(each.attrib["cx"]) for each in marks(picture(by_clients()), "dot")]
    assert (xs[1] - xs[0]) * 3 == pytest.approx(xs[2] - xs[1], abs=0.5)

    words = [measured({"mode": at}, RATE, 1.0, 2.0) for at in ("slow", "fast", "off")]
    xs = [
        float(each.attrib["cx"])
        for each in marks(picture(report(Status.PASS, tuple(words))), "dot")
    ]
    assert xs[1] - xs[0] == pytest.approx(xs[2] - xs[1], abs=0.5)


def test_a_second_axis_has_a_panel_for_each_of_its_values() -> None:
    points = [
        measured({"clients": clients, "size": size}, RATE, 1.0, 2.0)
        for clients in ("1", "2")
        for size in ("big", "small", "none")
    ]
    root = picture(report(Status.PASS, tuple(points)))

    names = [each.text for each in root.findall(f"{_SVG}g/{_SVG}text[@class='name']")]
    assert names == [
        f"bank/load by clients (size={at}): Throughput" for at in ("big", "small", "none")
    ]
    assert len(marks(root, "dot")) == 6


def test_a_report_without_a_sweep_gives_a_picture_that_says_so() -> None:
    assert "no query of this report has a sweep" in REPORTERS["svg"].render(PASSED, LOOK)
    assert sweeps(PASSED) == ()


def test_the_picture_stands_in_the_page_as_it_is() -> None:
    shown = by_clients()

    assert draw(shown, sweeps(shown)) in REPORTERS["html"].render(shown, LOOK)
    assert "<svg xmlns" not in REPORTERS["html"].render(PASSED, LOOK)
