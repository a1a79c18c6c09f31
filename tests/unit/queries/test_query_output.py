from __future__ import annotations

import pytest

from countci import queries
from countci.errors import MeasureError, UsageError
from countci.model import Limit, Metric, OutputWork, Query
from countci.queries import Place, output_values

FILE = """\
[query.clients]
kind = "output"
command = "build/load --clients 4"
from = "stderr"
env.LOAD = "small"
metric.throughput = { match = 'Throughput ([0-9.]+) MB/s', unit = "MB/s", better = "higher" }
metric.p99 = { json = "latency.p99", unit = "ms", limit = "1.5x" }
limit.throughput = "5%"
"""


def load(text: str) -> Query:
    files = {"load.toml": text.encode()}
    return queries.load(files, folder="queries", limits={}).queries[0]


def refused(*lines: str) -> str:
    text = "\n".join(["[query.a]", 'kind = "output"', 'command = "load"', *lines])
    with pytest.raises(UsageError) as caught:
        load(text)
    return str(caught.value)


def reading(*lines: str) -> Query:
    return load("\n".join(["[query.a]", 'kind = "output"', 'command = "load"', *lines]))


def test_a_query_has_the_metrics_that_it_names_and_no_others() -> None:
    query = load(FILE)

    assert query.work == OutputWork(
        command="build/load --clients 4",
        env={"LOAD": "small"},
        patterns={"throughput": "Throughput ([0-9.]+) MB/s"},
        paths={"p99": "latency.p99"},
        source="stderr",
    )
    assert query.metrics == ("throughput", "p99")
    assert query.own == {
        "throughput": Metric(name="throughput", unit="MB/s", exact=False, better="higher"),
        "p99": Metric(name="p99", unit="ms", exact=False),
    }
    assert query.limits == {
        "throughput": Limit(share=0.05),
        "p99": Limit(share=0.5, form="ratio"),
    }


def test_a_limit_that_is_not_written_is_that_of_time() -> None:
    query = reading('reader = "dbench"')

    assert query.limits == {"throughput": Limit(share=0.03)}


def test_a_reader_names_what_is_measured_its_unit_and_which_way_is_better() -> None:
    query = reading('reader = "dbench"')

    assert query.metrics == ("throughput",)
    assert query.metric("throughput").unit == "MB/s"
    assert query.metric("throughput").better == "higher"


def test_metrics_choose_among_what_a_reader_tells_parts_of_it_and_countcis_own() -> None:
    query = reading('reader = "redis-benchmark"', 'metrics = ["GET.rate", "time"]')

    assert query.metrics == ("GET.rate", "time")
    assert list(query.own) == ["GET.rate"]
    assert query.own["GET.rate"].name == "GET.rate"


def test_what_is_no_part_of_the_choice_is_not_measured() -> None:
    query = reading(
        'reader = "dbench"', 'metrics = ["other"]', "metric.other = { match = 'x ([0-9]+)' }"
    )

    assert query.metrics == ("other",)
    assert output_values(query, "x 7") == {"other": 7}


def test_percentiles_of_a_closed_loop_are_measured_only_when_asked_for_and_called_so() -> None:
    assert reading('reader = "wrk"').metrics == ("rate",)

    unit = reading('reader = "wrk"', 'metrics = ["p99"]').metric("p99").unit
    assert unit.replace("\N{NO-BREAK SPACE}", " ") == "ms (closed loop)"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "nothing says what its output tells"),
        ('reader = "dbenhc"', 'did you mean "dbench"'),
        ('reader = "dbench"\nmetrics = ["latency"]', "dbench tells nothing called latency"),
        ('reader = "fio"\nmetrics = ["iop"]', "of one part of its output as PART.NAME"),
        ('reader = "dbench"\nfrom = "file"', '"file" is not one of'),
        ("metric.time = { match = '([0-9]+)' }", "time is what countci measures itself"),
        ("metric.'a b' = { match = '([0-9]+)' }", "no name for a metric"),
        ("metric.a = { unit = 'ms' }", "`match` or `json`"),
        ("metric.a = { match = '([0-9]+)', json = 'a' }", "`match` or `json`"),
        ("metric.a = { match = '[0-9]+' }", "one group is the number, and it has 0"),
        ("metric.a = { match = '([0-9]+' }", "no regular expression"),
        ("metric.a = { json = '' }", "results.0.mean"),
        ("metric.a = { match = '([0-9]+)', better = 'more' }", '"more" is not one of'),
        ("metric.a = { match = '([0-9]+)', limit = 'much' }", "is not a limit"),
        ("metric.a = { match = '([0-9]+)', limit = '2 KiB' }", "a is no number of bytes"),
        ("metric.a = { match = '([0-9]+)' }\nlimit.b = '3%'", "no such key"),
        ("metric.a = { match = '([0-9]+)' }\nmetrics = ['b']", '"b" is not one of'),
        ("metric.a = { match = '([0-9]+)' }\noutput = 'same'", "where instructions are counted"),
    ],
)
def test_a_slip_is_refused_with_its_line(line: str, said: str) -> None:
    message = refused(line)

    assert said in message
    assert message.startswith("queries/load.toml:")


def test_a_limit_in_bytes_is_one_where_the_unit_is_bytes() -> None:
    query = reading("metric.a = { match = 'size ([0-9]+)', unit = 'bytes', limit = '2 KiB' }")

    assert query.limits["a"] == Limit(form="amount", amount=2048)


def test_the_command_is_run_at_the_stage_like_any_other() -> None:
    from pathlib import Path

    tree = Path("/stage")
    place = Place(tree=tree, work=tree / "w", queries=tree / "q", env={"PATH": "/bin"})

    found = queries.command(load(FILE), place, 1)

    assert found.argv == ("build/load", "--clients", "4")
    assert found.env == {"PATH": "/bin", "LOAD": "small"}
    assert found.cwd == tree


def test_a_command_with_n_asks_so_often_in_a_process() -> None:
    assert not load(FILE).work.repeats
    assert load(FILE.replace("4", "{n}")).work.repeats


def test_values_come_from_a_reader_from_patterns_and_from_paths() -> None:
    query = reading(
        'reader = "dbench"',
        "metric.opens = { match = '^NTCreateX +([0-9]+)' }",
        'metric.p99 = { json = "latency.p99" }',
    )
    text = 'NTCreateX   29159\nThroughput 344.4 MB/sec  4 clients\n{"latency": {"p99": 5}}\n'

    assert output_values(query, text) == {"throughput": 344.4, "opens": 29159, "p99": 5}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("opened 7", "nothing matches"),
        ("opens 7\nopens 8", "matches 2 times"),
        ("opens 0", "more than 0"),
        ("opens nan", "no number"),
        ("opens inf", "no number"),
        ("opens seven", "no number"),
    ],
)
def test_a_number_that_is_none_is_an_error_that_quotes_the_line(text: str, said: str) -> None:
    query = reading("metric.opens = { match = 'opens ([a-z0-9]+)' }")

    with pytest.raises(MeasureError) as caught:
        output_values(query, text)

    assert said in str(caught.value)
    assert text.splitlines()[0] in str(caught.value)


def test_a_path_that_leads_nowhere_tells_what_is_there() -> None:
    query = reading('metric.p99 = { json = "latency.p99" }')

    with pytest.raises(MeasureError, match=r"no latency\.p99") as caught:
        output_values(query, '{"latency": {"p50": 5}}')
    assert "latency has p50" in str(caught.value)
