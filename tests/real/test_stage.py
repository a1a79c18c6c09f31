"""The stage under real conditions: killed at random moments, mounts, a real compiler."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from countci.builds import Places, empty_trash, hold, manifest, prepare, recover
from countci.builds import marker as markers
from countci.builds.elf import normalised
from countci.builds.moves import move
from countci.builds.occupants import occupants
from countci.errors import UsageError

pytestmark = pytest.mark.slow

# Builds and swaps without end; each build has many files, so that most kills find half of one.
LOOP = """
import itertools, os, sys
from pathlib import Path
from countci.builds import Cache, Order, Places, Stage, environment, hold, prepare, recover
from countci.model import Recipe, Revision

def make_tree(tree):
    (tree / ".git").mkdir(parents=True)
    (tree / "source").write_text("x")

places = prepare(Places(Path(sys.argv[1])))
command = "sh -c 'for i in $(seq 50); do echo $i > f$i; done; (sleep 99 &) ; mkdir out'"
recipe = Recipe(commands=(command, "touch last"))
with hold(places, print):
    print("held", flush=True)
    recover(places)
    stage = Stage(places)
    cache = Cache(places, stage)
    before = None
    for number in itertools.count():
        key = f"{os.getpid()}-{number}"
        revision = Revision(name=key, sha="0" * 40, tree=key, subject="", when=0)
        order = Order(revision=revision, recipe=recipe, key=key,
                      env=environment({}, places), make_tree=make_tree)
        cache.build(order)
        (places.work / "data").write_text(key)
        for side in [before, key] * 20 if before else []:
            stage.swap(side)
        before = key
"""


def finished(places: Places) -> dict[str, dict[str, str]]:
    """Return the manifests of the finished builds, as they were recorded."""
    found = {}
    for tree in places.builds.iterdir():
        marker = markers.read(tree)
        assert marker is not None
        assert marker.key == tree.name
        recorded = markers.read_manifest(tree, marker)
        assert recorded is not None
        found[tree.name] = recorded
    return found


def wait(_: str) -> None:
    """Wait for a child that the killed one had forked: it holds the lock until it starts."""


def kill_one(root: Path, pause: float) -> None:
    """Start the loop, and kill it `pause` seconds after it got the lock."""
    child = subprocess.Popen(
        [sys.executable, "-c", LOOP, str(root)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    with child.stdout:
        assert child.stdout.readline() == "held\n"
        time.sleep(pause)
        child.kill()
        assert child.wait() == -9


def test_killed_at_any_moment_finished_builds_stay_whole_and_nothing_else_stays(
    tmp_path: Path,
) -> None:
    seed = random.randrange(10**6)
    pauses = random.Random(seed)
    places = prepare(Places(tmp_path / "cache"))
    known: set[str] = set()
    halves = 0
    for _ in range(20):
        kill_one(places.root, pauses.uniform(0, 0.3))
        halves += (places.stage / "source").exists() and markers.read(places.stage) is None
        with hold(places, wait):
            recover(places)

            builds = finished(places)
            assert known <= builds.keys(), f"seed {seed}: a finished build is gone"
            for key, recorded in builds.items():
                assert manifest(places.builds / key) == recorded, f"seed {seed}: {key}"
                assert len(recorded) == 53
            known = set(builds)
            assert not places.stage.exists()
            assert not places.work.exists()
            for folder in (places.works, places.runs, places.home):
                assert list(folder.iterdir()) == []
            assert [each for each in occupants([places.root], places.home) if each.ours] == []
            empty_trash(places)
            assert list(places.trash.iterdir()) == []
    assert known, f"seed {seed}: no kill came late enough"
    assert halves, f"seed {seed}: no kill found half of a build"


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Path]:
    """Return a folder with another file system in it, where we may mount one."""
    folder = tmp_path / "cache" / "stage"
    folder.mkdir(parents=True)
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    if shutil.which("mount") is None or subprocess.run(mount, check=False).returncode:
        pytest.skip("mount needs more rights than we have")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_mount_is_refused_and_never_copied_across(mounted: Path) -> None:
    root = mounted.parent
    with pytest.raises(UsageError, match="is a mount point"):
        prepare(Places(root))

    (mounted / "tree").mkdir()
    with pytest.raises(UsageError, match="cross-device"):
        move(mounted / "tree", root / "tree")
    with pytest.raises(UsageError, match="busy"):
        move(mounted, root / "elsewhere")

    assert not (root / "tree").exists()


SOURCE = """
#include <stdio.h>
static int square(int x) { return x * x; }
int main(int argc, char **argv) { printf("%d %s\\n", square(argc), argv[0]); return 0; }
"""


def build(folder: Path, name: str, *flags: str, source: str = SOURCE) -> bytes:
    folder.mkdir(exist_ok=True)
    (folder / "a.c").write_text(source)
    subprocess.run(["gcc", "-O2", *flags, "a.c", "-o", name], cwd=folder, check=True)
    return (folder / name).read_bytes()


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
@pytest.mark.parametrize("kind", [[], ["-static"], ["-shared", "-fPIC"], ["-no-pie"]])
def test_a_program_reads_alike_with_and_without_debug_information(
    tmp_path: Path, kind: list[str]
) -> None:
    flags = [*kind, "-Wl,--build-id"]
    plain = build(tmp_path, "plain", *flags)
    debug = build(tmp_path, "debug", *flags, "-g3")
    subprocess.run(["strip", "-o", "stripped", "debug"], cwd=tmp_path, check=True)
    stripped = (tmp_path / "stripped").read_bytes()
    commented = build(tmp_path, "commented", *flags, "-g", source=f"/* more */\n{SOURCE}")
    other = build(tmp_path, "other", *flags, source=SOURCE.replace("x * x", "x + x * x"))

    assert len({plain, debug, stripped, commented}) == 4
    assert len({normalised(data) for data in (plain, debug, stripped, commented)}) == 1
    assert normalised(other) != normalised(plain)
    assert normalised(debug + b"\0") != normalised(debug)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_a_real_program_cut_or_flipped_anywhere_never_raises(tmp_path: Path) -> None:
    data = build(tmp_path, "debug", "-g")
    choices = random.Random(1)
    for _ in range(300):
        broken = bytearray(data[: choices.randrange(len(data))])
        normalised(bytes(broken))
        broken = bytearray(data)
        for _ in range(4):
            # The table of sections at the end and the header are what is read.
            at = choices.choice([choices.randrange(64), len(data) - choices.randrange(1, 2400)])
            broken[at] = choices.randrange(256)
        normalised(bytes(broken))


def test_a_process_that_lives_on_is_not_in_the_tree_of_the_next_side(tmp_path: Path) -> None:
    places = prepare(Places(tmp_path / "cache"))
    kill_one(places.root, 0.2)

    with hold(places, wait):
        recover(places)

    processes = [entry for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    assert [each for each in processes if _leads_into(each / "cwd", places.root)] == []


def _leads_into(link: Path, root: Path) -> bool:
    try:
        return link.readlink().is_relative_to(root)
    except OSError:
        return False
