from __future__ import annotations

from pathlib import Path

import pytest

from countci.builds import environment
from countci.errors import UsageError

from .making import make_places

USER = {
    "PATH": "/opt/bin:/usr/bin",
    "HOME": "/home/me",
    "LANG": "de_DE.UTF-8",
    "TZ": "Europe/Berlin",
    "CFLAGS": "-O0",
    "CI": "true",
    "GITHUB_TOKEN": "secret-1",
    "GITHUB_SHA": "abc",
    "ACTIONS_RUNTIME_TOKEN": "secret-2",
    "RUNNER_TEMP": "/runner",
    "AWS_SECRET_ACCESS_KEY": "secret-3",
    "SSL_CERT_FILE": "/etc/ca.pem",
    "CCACHE_DIR": "/ccache",
}


def test_a_build_sees_an_allow_list_and_no_secret(tmp_path: Path) -> None:
    places = make_places(tmp_path)

    assert environment(USER, places) == {
        "PATH": "/opt/bin:/usr/bin",
        "HOME": str(places.home),
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "SOURCE_DATE_EPOCH": "1000000000",
        "TMPDIR": str(places.runs / "tmp"),
        "SSL_CERT_FILE": "/etc/ca.pem",
    }


def test_what_is_passed_arrives_but_never_replaces_what_is_fixed(tmp_path: Path) -> None:
    places = make_places(tmp_path)

    env = environment(USER, places, ["CCACHE_DIR", "CFLAGS", "HOME", "TZ", "NOT_SET"])

    assert env["CCACHE_DIR"] == "/ccache"
    assert env["CFLAGS"] == "-O0"
    assert env["HOME"] == str(places.home)
    assert env["TZ"] == "UTC"
    assert "NOT_SET" not in env


@pytest.mark.parametrize(
    "name",
    ["GITHUB_TOKEN", "npm_token", "AWS_SECRET_ACCESS_KEY", "DB_PASSWORD", "SIGNING_KEY", "GH_PAT"],
)
def test_a_name_that_looks_like_a_secret_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="secret") as caught:
        environment(USER, make_places(tmp_path), [name])

    assert name in caught.value.where
    assert "secret-" not in str(caught.value)


def test_a_value_with_a_password_is_refused_and_not_shown(tmp_path: Path) -> None:
    user = {"PIP_INDEX_URL": "https://me:hush-7@pypi.example/simple"}

    with pytest.raises(UsageError, match="password") as caught:
        environment(user, make_places(tmp_path), ["PIP_INDEX_URL"])

    assert "hush-7" not in str(caught.value)


def test_names_that_only_sound_like_secrets_are_passed(tmp_path: Path) -> None:
    user = {"GIT_AUTHOR_NAME": "me", "PKG_CONFIG_PATH": "/x", "INDEX": "https://pypi.example/"}

    assert user.items() <= environment(user, make_places(tmp_path), list(user)).items()


@pytest.mark.parametrize("name", ["CI", "GITHUB_SHA", "ACTIONS_CACHE_URL", "RUNNER_TEMP"])
def test_what_differs_from_run_to_run_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="run to run") as caught:
        environment(USER, make_places(tmp_path), [name])

    assert f"env {name}=" in caught.value.detail


def test_tools_find_what_they_keep_in_the_users_home(tmp_path: Path) -> None:
    (tmp_path / ".cargo").mkdir()
    user = {"HOME": str(tmp_path), "RUSTUP_HOME": "/opt/rustup"}

    env = environment(user, make_places(tmp_path))

    assert env["CARGO_HOME"] == str(tmp_path / ".cargo")
    assert env["RUSTUP_HOME"] == "/opt/rustup"
    assert "PYENV_ROOT" not in env


def test_without_a_path_and_a_home_there_is_still_an_environment(tmp_path: Path) -> None:
    assert "bin" in environment({}, make_places(tmp_path))["PATH"]
