from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci.builds import identical
from countci.model import Identity, ReadSet

from .making import make_build

BASE = {"bin/app": "program 1", "README.md": "file 1", "data/a": "file 1", "link": "link bin"}
WITHOUT = {path: entry for path, entry in BASE.items() if path != "data/a"}


def judge(head: dict[str, str], *paths: str, unknown: str = "") -> Identity | None:
    reads = ReadSet(paths=paths, unknown=unknown)
    return identical(make_build(BASE), make_build(head), reads)


@pytest.mark.parametrize(
    ("head", "paths"),
    [
        pytest.param(BASE | {"README.md": "file 2"}, ["bin/app"], id="another file changed"),
        pytest.param(BASE | {"data/b": "file 1"}, ["data/a"], id="a file beside it is new"),
        pytest.param(BASE | {"data/b": "file 1"}, ["data"], id="its folder was looked at"),
        pytest.param(BASE | {"data/a": "file 2"}, ["data/"], id="a file of a list changed"),
        pytest.param(BASE | {"data/c/d": "file 2"}, ["./"], id="new two below a list"),
        pytest.param(WITHOUT, ["bin/"], id="gone from a folder that was not listed"),
        pytest.param(BASE | {"data/b": "file 1"}, ["dat"], id="only the first letters agree"),
        pytest.param(BASE | {"README.md": "file 2"}, [], id="nothing was read"),
    ],
)
def test_what_was_not_read_may_differ(head: dict[str, str], paths: list[str]) -> None:
    found = judge(head, *paths)

    differing = {path for path in BASE | head if BASE.get(path) != head.get(path)}
    assert found == Identity(differs=tuple(sorted(differing)))


@pytest.mark.parametrize(
    ("head", "paths"),
    [
        pytest.param(BASE | {"bin/app": "program 2"}, ["bin/app"], id="the program changed"),
        pytest.param(BASE | {"bin/app": "file 1"}, ["bin/app"], id="it is not executable"),
        pytest.param(BASE | {"lib/x.so": "file 1"}, ["lib/x.so"], id="a look-up now finds it"),
        pytest.param(BASE | {"lib/x.so": "file 1"}, ["lib"], id="a look-up now finds a folder"),
        pytest.param(BASE | {"lib/y": "file 1"}, ["lib/x.so"], id="its folder is there now"),
        pytest.param(WITHOUT, ["data/a"], id="it is gone"),
        pytest.param(WITHOUT, ["data"], id="its folder is gone"),
        pytest.param(BASE | {"link": "link data"}, ["link/a"], id="a link on the way changed"),
        pytest.param(BASE | {"data/b": "file 1"}, ["data/"], id="new in a list"),
        pytest.param(BASE | {"data/c/d": "file 1"}, ["data/"], id="a new folder in a list"),
        pytest.param(BASE | {"data/a": "link b"}, ["data/"], id="another kind in a list"),
        pytest.param(BASE | {"new": "file 1"}, ["./"], id="new in a list of the stage"),
        pytest.param(BASE | {"new": "file 1"}, ["/"], id="the same, written otherwise"),
        pytest.param(BASE | {"x\\xff": "file 1"}, ["bin/app"], id="a name of odd bytes"),
        pytest.param(BASE, [".git/HEAD"], id="git was asked, which no manifest holds"),
        pytest.param(BASE, [".git"], id="git was looked for"),
    ],
)
def test_what_was_read_may_not_differ(head: dict[str, str], paths: list[str]) -> None:
    assert judge(head, *paths) is None


def test_an_incomplete_read_set_proves_nothing_unless_nothing_differs() -> None:
    assert judge(BASE | {"README.md": "file 2"}, unknown="chdir") is None
    assert judge(BASE, unknown="chdir") == Identity(differs=())


paths = st.lists(st.sampled_from("ab"), min_size=1, max_size=3).map("/".join)
entries = st.sampled_from(["file 1", "file 2", "program 1"])


@given(base=st.dictionaries(paths, entries), head=st.dictionaries(paths, entries), read=paths)
def test_a_proof_means_that_every_look_up_finds_the_same(
    base: dict[str, str], head: dict[str, str], read: str
) -> None:
    def finds(files: dict[str, str]) -> str:
        folder = any(path.startswith(f"{read}/") for path in files)
        return files.get(read, "folder" if folder else "")

    proof = identical(make_build(base), make_build(head), ReadSet(paths=(read,)))

    assert proof is None or finds(base) == finds(head)


@pytest.mark.parametrize(
    ("read", "proven"),
    [
        ("bin/app", True),
        ("bin", True),
        ("data/a", False),  # it may differ: the manifests have artifacts only
        ("bin/app.conf", False),
        ("bin/", False),
    ],
)
def test_artifacts_prove_nothing_for_what_reads_beside_them(read: str, *, proven: bool) -> None:
    build = make_build({"bin/app": "program 1"})
    found = identical(build, build, ReadSet(paths=(read,)), ["bin/app"])

    assert (found is not None) == proven


def test_artifacts_prove_nothing_where_what_was_read_is_unknown() -> None:
    build = make_build({"bin/app": "program 1"})

    assert identical(build, build, ReadSet(paths=(), unknown="cut"), ["bin/app"]) is None
