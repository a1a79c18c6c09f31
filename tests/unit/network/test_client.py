"""The client against a server on this machine; no test waits, for the clock is made up."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from countci.errors import UsageError
from countci.network import Client, Clock, NetworkError, Request, Uncertain, origin
from countci.units import Seconds
from tests.github_api import (
    BAD_GATEWAY,
    LOST,
    MADE_THEN_BAD_GATEWAY,
    PRIMARY,
    READ_ONLY,
    SECONDARY,
    SECONDARY_TOLD,
    SILENT,
    Canned,
    GitHub,
)

TOKEN = "Bearer hunter2"  # noqa: S105 - nobody's
HERE = "/repos/savings/bank/issues/7/comments"


@dataclass
class Waits:
    """A clock that only waiting moves."""

    waited: list[float] = field(default_factory=list)

    def sleep(self, seconds: float) -> None:
        self.waited.append(seconds)

    @property
    def clock(self) -> Clock:
        return Clock(now=lambda: sum(self.waited), sleep=self.sleep)


@pytest.fixture
def api() -> Iterator[GitHub]:
    with GitHub(comments=1) as server:
        yield server


@pytest.fixture
def waits() -> Waits:
    return Waits()


def client(api: GitHub, waits: Waits, each: float = 10) -> Client:
    headers = {"Authorization": TOKEN}
    return Client(api.url, headers, clock=waits.clock, each=Seconds(each))


def get(api: GitHub) -> Request:
    return Request(method="GET", url=api.url + HERE)


def post(api: GitHub) -> Request:
    return Request(method="POST", url=api.url + HERE, body=b'{"body": "hello"}')


def test_an_answer_comes_with_status_headers_and_body(api: GitHub, waits: Waits) -> None:
    answer = client(api, waits).send(get(api))

    assert answer.status == 200
    assert answer.headers["content-type"] == "application/json"
    assert b"talk 0" in answer.body
    assert waits.waited == []


def test_a_refusal_is_an_answer_and_asked_once(api: GitHub, waits: Waits) -> None:
    api.script_once("POST", READ_ONLY)

    assert client(api, waits).send(post(api)).status == 403
    assert (waits.waited, len(api.log)) == ([], 1)


def test_a_failing_server_is_asked_until_it_answers(api: GitHub, waits: Waits) -> None:
    api.script_once("GET", BAD_GATEWAY, LOST, BAD_GATEWAY)

    assert client(api, waits).send(get(api)).status == 200
    assert waits.waited == [1, 2, 4]


def test_a_server_that_goes_on_failing_has_the_last_word(api: GitHub, waits: Waits) -> None:
    api.script_once("GET", *[BAD_GATEWAY] * 4)

    assert client(api, waits).send(get(api)).status == 502
    assert len(api.log) == 4


def test_a_limit_that_tells_how_long_is_waited_for_and_a_post_repeated(
    api: GitHub, waits: Waits
) -> None:
    api.script_once("POST", SECONDARY_TOLD, SECONDARY)

    # The second one would be waited for only if it were the first that told nothing.
    assert client(api, waits).send(post(api)).status == 403
    assert waits.waited == [7]
    assert api.bodies == []


def test_a_limit_used_up_ends_it(api: GitHub, waits: Waits) -> None:
    api.script_once("POST", PRIMARY)

    assert client(api, waits).send(post(api)).status == 403
    assert waits.waited == []


@pytest.mark.parametrize("canned", [LOST, BAD_GATEWAY, MADE_THEN_BAD_GATEWAY])
def test_a_post_that_may_have_been_done_is_not_repeated(
    api: GitHub, waits: Waits, canned: Canned
) -> None:
    api.script_once("POST", canned)

    with pytest.raises(Uncertain, match=r"POST http://127\.0\.0\.1:"):
        client(api, waits).send(post(api))
    assert (waits.waited, len(api.log)) == ([], 1)


def test_a_post_that_cant_have_arrived_is_repeated(waits: Waits) -> None:
    with GitHub() as gone:
        pass

    with pytest.raises(NetworkError, match="Connection refused") as caught:
        client(gone, waits).send(post(gone))
    assert not isinstance(caught.value, Uncertain)
    assert waits.waited == [1, 2, 4]


def test_a_cut_answer_is_none(api: GitHub, waits: Waits) -> None:
    api.script_once("GET", *[Canned(200, "[", {"content-length": "100"})] * 4)

    with pytest.raises(NetworkError, match="no answer"):
        client(api, waits).send(get(api))


def test_all_waits_together_have_an_end(api: GitHub, waits: Waits) -> None:
    api.script_once("GET", *[Canned(429, "", {"retry-after": "50"})] * 4)

    assert client(api, waits).send(get(api)).status == 429
    assert waits.waited == [50, 50]


def test_a_silent_server_is_not_waited_for_for_ever(api: GitHub, waits: Waits) -> None:
    api.script_once("POST", SILENT)

    with pytest.raises(Uncertain, match="timed out"):
        client(api, waits, each=0.02).send(post(api))


def test_an_answer_that_trickles_in_has_an_end(api: GitHub) -> None:
    times = iter([0.0, 0.0])  # when it is made, when it asks; then it is late
    clock = Clock(now=lambda: next(times, 999.0), sleep=lambda _seconds: None)

    with pytest.raises(NetworkError, match="timed out"):
        Client(api.url, {"Authorization": TOKEN}, clock=clock).send(get(api))


def test_an_answer_without_an_end_is_cut_off(
    api: GitHub, waits: Waits, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("countci.network.exchange._BIGGEST", 10)

    with pytest.raises(NetworkError, match="too large"):
        client(api, waits).send(get(api))


@pytest.mark.parametrize("status", [301, 307, 308])
def test_a_redirect_on_the_same_server_is_followed_with_method_and_body(
    api: GitHub, waits: Waits, status: int
) -> None:
    moved = Canned(
        status, "", {"location": f"/repositories/4100{HERE[len('/repos/savings/bank') :]}"}
    )
    api.script_once("POST", moved)

    assert client(api, waits).send(post(api)).status == 201
    assert api.bodies == ["hello"]


@pytest.mark.parametrize(
    "elsewhere", ["http://localhost:{port}/", "https://127.0.0.1:{port}/", "http://evil.example/"]
)
def test_a_redirect_to_another_server_is_refused_with_the_token_kept(
    api: GitHub, waits: Waits, elsewhere: str
) -> None:
    where = elsewhere.replace("{port}", api.url.rpartition(":")[2])
    api.script_once("GET", Canned(307, "", {"location": where}))

    with pytest.raises(NetworkError, match="another server"):
        client(api, waits).send(get(api))
    assert len(api.log) == 1
    assert waits.waited == []


def test_redirects_in_a_circle_end(api: GitHub, waits: Waits) -> None:
    api.script_once("GET", *[Canned(301, "", {"location": HERE})] * 9)

    with pytest.raises(NetworkError, match="more than 3 redirects"):
        client(api, waits).send(get(api))
    assert len(api.log) == 4


def test_no_error_holds_the_token_or_the_query(api: GitHub, waits: Waits) -> None:
    api.script_once("GET", *[LOST] * 4)
    bad = Client(api.url, {"Authorization": "Bearer hunter2\r\nx: y"}, clock=waits.clock)

    for who in (client(api, waits), bad):
        with pytest.raises(NetworkError) as caught:
            who.send(Request(method="GET", url=f"{api.url}{HERE}?secret=1"))
        text = "".join(traceback.format_exception(caught.value))
        assert "hunter2" not in text + repr(who)
        assert "secret" not in str(caught.value)


def test_a_proxy_is_asked_for_a_tunnel_and_gets_no_token(waits: Waits) -> None:
    seen: list[str] = []

    class Proxy(BaseHTTPRequestHandler):
        def do_CONNECT(self) -> None:
            seen.extend([self.requestline, str(self.headers)])
            self.send_error(403)

        def log_message(self, format: str, *_: object) -> None:  # noqa: A002 - its own name
            """Keep quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Proxy) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        proxy = f"http://127.0.0.1:{server.server_port}"
        url = "https://api.github.example/user"
        asked = Client(url, {"Authorization": TOKEN}, proxy=proxy, clock=waits.clock)
        with pytest.raises(NetworkError, match="no answer"):
            asked.send(Request(method="POST", url=url, body=b"{}"))
        server.shutdown()

    assert seen[0].startswith("CONNECT api.github.example:443 ")
    assert "hunter2" not in seen[1]


@pytest.mark.parametrize(
    "url",
    [
        "http://api.github.com",
        "http://127.0.0.1.example.org",
        "https://mona:hunter2@api.github.com",
        "https://",
        "https://host:port",
        "file:///etc/passwd",
        "ftp://127.0.0.1/",
        "",
    ],
)
def test_no_token_goes_to_what_is_not_https_or_this_machine(url: str) -> None:
    with pytest.raises(UsageError) as caught:
        origin(url)
    assert "hunter2" not in str(caught.value)


def test_a_server_is_its_scheme_host_and_port() -> None:
    assert origin("https://API.github.com/repos") == ("https", "api.github.com", 443)
    assert origin("http://[::1]:8080") == ("http", "::1", 8080)
