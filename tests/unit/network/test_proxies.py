from __future__ import annotations

import pytest

from countci.errors import UsageError
from countci.network import proxy_of

PROXY = "http://proxy:3128"
SERVER = "https://api.github.example/v3"


@pytest.mark.parametrize(
    "direct",
    [
        "api.github.example",
        "github.example",
        ".github.example",
        "*.github.example",
        "*",
        "localhost, API.GitHub.example",
        "localhost github.example",
        "github.example:443",
    ],
)
def test_a_server_that_is_named_is_asked_directly(direct: str) -> None:
    assert proxy_of({"HTTPS_PROXY": PROXY, "NO_PROXY": direct}, SERVER) == ""


@pytest.mark.parametrize(
    "direct", ["", "hub.example", "api.github.example.org", "github.example:8443", ",", ".", "::1"]
)
def test_every_other_server_is_asked_through_the_proxy(direct: str) -> None:
    assert proxy_of({"HTTPS_PROXY": PROXY, "NO_PROXY": direct}, SERVER) == PROXY


def test_small_letters_go_first_for_both() -> None:
    env = {"https_proxy": PROXY, "HTTPS_PROXY": "http://other", "NO_PROXY": "*", "no_proxy": "x"}

    assert proxy_of(env, SERVER) == PROXY


def test_without_a_proxy_there_is_none() -> None:
    assert proxy_of({}, SERVER) == ""


def test_an_address_that_is_none_is_a_slip() -> None:
    with pytest.raises(UsageError):
        proxy_of({}, "github")
