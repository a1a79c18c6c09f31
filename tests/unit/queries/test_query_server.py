from __future__ import annotations

from pathlib import Path

import pytest

from countci.errors import UsageError
from countci.model import HttpRequest, Limit, Query, ServerWork
from countci.queries import Place, filled_work, load, server_commands

PLACE = Place(
    tree=Path("/stage"), work=Path("/work"), queries=Path("/queries"), env={"PATH": "/bin"}
)
START = 'start = "./serve --port {port}"\n'


def query(text: str, start: str = START) -> Query:
    document = f'[query.web]\nkind = "server"\n{start}{text}'
    return load({"site.toml": document.encode()}, folder="queries", limits={}).queries[0]


def work(text: str, start: str = START) -> ServerWork:
    found = query(text, start).work
    assert isinstance(found, ServerWork)
    return found


def refused(text: str, start: str = START) -> str:
    with pytest.raises(UsageError) as caught:
        query(text, start)
    assert caught.value.where.startswith("queries/site.toml")
    return str(caught.value)


def test_a_server_says_as_little_as_how_it_is_started() -> None:
    found = work("")

    assert found.start == ("./serve --port {port}",)
    assert found.ready.tcp == "{port}"
    assert (found.load.loop, found.load.tool, found.load.concurrency) == ("closed", "own", 10)
    assert (found.load.requests, found.load.seconds) == (0, 5.0)
    assert found.load.url == "http://127.0.0.1:{port}/"


def test_a_closed_loop_is_judged_by_its_throughput() -> None:
    found = query('load = "closed"\nconcurrency = 20\nrequests = 500\ntool = "ab"\n')

    assert found.metrics == ("throughput",)
    assert found.metric("throughput").better == "higher"
    assert found.limits["throughput"] == Limit(share=0.03)


def test_an_open_loop_is_judged_by_the_ratio_of_its_percentiles() -> None:
    found = query('load = "open"\nrate = 1000\narrivals = "constant"\n')

    assert found.metrics == ("p50", "p90", "p99")
    assert found.limits["p99"] == Limit(share=0.5, form="ratio")


def test_a_percentile_of_a_closed_loop_is_called_one() -> None:
    found = query('metrics = ["throughput", "closed_p99"]\n')

    assert found.metric("closed_p99").unit.split() == ["ms", "(closed", "loop)"]
    assert found.limits["closed_p99"] == Limit(share=0.5, form="ratio")
    assert "nothing called p99" in refused('metrics = ["p99"]\n')


def test_a_limit_of_its_own_replaces_the_usual_one() -> None:
    assert query('limit.throughput = "7%"\n').limits["throughput"] == Limit(share=0.07)


def test_a_neighbour_has_a_throughput_too() -> None:
    found = query('neighbour = { url = "http://127.0.0.1:8081/", concurrency = 64 }\n')

    assert found.metrics == ("throughput", "neighbour_throughput")
    assert isinstance(found.work, ServerWork)
    assert found.work.neighbour is not None
    assert found.work.neighbour.concurrency == 64


def test_numbers_may_be_text_as_a_sweep_fills_them_in() -> None:
    found = work('concurrency = "20"\nrequests = "100"\n')

    assert (found.load.concurrency, found.load.requests) == (20, 100)
    assert work('load = "open"\nrate = "1e3"\n').load.rate == 1000.0


def test_placeholders_are_filled_in_everywhere() -> None:
    found = query(
        'ready.http = "http://127.0.0.1:{port}/up"\nenv.HOME = "{work}"\n'
        'url = "http://127.0.0.1:{port}/page"\n',
        'start = ["./store {build}/data", "./serve --port {port}"]\n',
    )

    first, second = server_commands(found, PLACE, 8080)
    filled = filled_work(found, PLACE, 8080)

    assert first.argv == ("./store", "/stage/data")
    assert second.argv == ("./serve", "--port", "8080")
    assert second.env == {"PATH": "/bin", "HOME": "/work/site"}
    assert filled.ready.http == "http://127.0.0.1:8080/up"
    assert filled.load.url == "http://127.0.0.1:8080/page"


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "localhost", "[::1]"])
def test_addresses_of_this_machine_are_taken(host: str) -> None:
    assert host in work(f'url = "http://{host}:8080/"\n').load.url


@pytest.mark.parametrize("host", ["example.org", "10.0.0.1", "127.0.0.1.example.org"])
def test_a_load_on_another_machine_is_refused_with_the_reason(host: str) -> None:
    text = refused(f'url = "http://{host}/"\n')

    assert f"{host} is not this machine, and a load on another one may hurt it" in text
    assert "allow-remote = true" in text


def test_a_load_on_another_machine_can_be_allowed() -> None:
    found = work('url = "http://10.0.0.1/"\nallow-remote = true\n')

    assert found.load.url == "http://10.0.0.1/"


def test_neither_a_neighbour_nor_what_is_waited_for_is_elsewhere_unasked() -> None:
    assert "is not this machine" in refused('neighbour.url = "http://10.0.0.1/"\n')
    assert "is not this machine" in refused('ready.http = "http://10.0.0.1/"\n')


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('ready = { tcp = 8080, line = "up" }\n', "say one way"),
        ("ready = { udp = 8080 }\n", '"udp" is not one of'),
        ('ready = { tcp = "http" }\n', "is no port"),
        ('ready = { line = "" }\n', "say what is waited for"),
        ('url = "https://127.0.0.1/"\n', "is no address"),
        ('url = "http://127.0.0.1:99999/"\n', "is no address"),
        ('url = "http://127.0.0.1/a b"\n', "is no address"),
        ('load = "half-open"\n', '"half-open" is not one of'),
        ('load = "open"\n', "needs its arrivals a second"),
        ('load = "open"\nrate = 0\n', "is no number of requests a second"),
        ('load = "open"\nrate = 10\nconcurrency = 5\n', "means nothing in a load that is open"),
        ("rate = 10\n", "means nothing in a load that is closed"),
        ('requests = 5\nseconds = "1s"\n', "either `requests` or `seconds`"),
        ('seconds = "1h"\n', "more than 600 s"),
        ("requests = 100000000\n", "no whole number from 1 to 10,000,000"),
        ("concurrency = 0\n", "no whole number"),
        ('load = "open"\nrate = 100000\nseconds = "500s"\n', "more than 10,000,000 requests"),
        ('tool = "wrk"\nrequests = 10\n', "wrk takes `seconds`"),
        ('tool = "curl"\n', '"curl" is not one of'),
        ('metrics = ["time"]\n', "has no time of its own"),
        ('metrics = ["latency"]\n', "nothing called latency"),
        ('env.A = "{nothing}"\n', "no placeholder {nothing}"),
    ],
)
def test_what_makes_no_sense_is_refused(text: str, problem: str) -> None:
    assert problem in refused(text)


def test_a_server_without_a_command_is_refused() -> None:
    assert "name at least one command" in refused("", "start = []\n")
    assert "no placeholder {prt}" in refused("", 'start = "./serve {prt}"\n')


def test_a_request_is_as_it_is_written_and_nothing_in_it_is_filled_in() -> None:
    found = work(
        'request = { method = "POST", headers = { X-Key = "7" }, body = \'{"port": {n}}\' }\n'
    )

    assert found.load.request == HttpRequest(
        method="POST", headers={"X-Key": "7"}, body='{"port": {n}}'
    )
    assert work("").load.request == HttpRequest()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('request = { method = "PSOT" }', 'did you mean "POST"?'),
        ('request = { bdy = "x" }', "bdy"),
        ('request = { headers = { "a b" = "x" } }', "is no header"),
        ('request = { headers = { a = "x\\r\\nb: c" } }', "is no header"),
        ('request = { headers = { content-length = "3" } }', "countci sends itself"),
        ('tool = "ab"\nrequest = { body = "x" }', "ab sends a plain GET"),
    ],
)
def test_a_request_that_cannot_be_sent_is_refused(text: str, problem: str) -> None:
    assert problem in refused(f"{text}\n")
