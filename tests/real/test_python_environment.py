"""Environments of real packages from the index, made by the real uv and the real pip."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from countci import builds, revisions
from countci.builds import python as environments
from countci.builds.places import Places, prepare
from countci.builds.python import Dependencies, Request, choosing
from countci.model import Build, PythonEnvironment, Recipe, Revision
from tests.unit.revisions.conftest import Git

pytestmark = pytest.mark.slow

# A C extension, and a version that setuptools-scm makes.
PAIRS = {"markupsafe": ("2.1.5", "3.0.2"), "pluggy": ("1.5.0", "1.6.0")}
# What compiled files say of themselves: 1 is "never compared with the source" (PEP 552).
_UNCHECKED = (1).to_bytes(4, "little")


@dataclass
class Bench:
    """Two releases as two commits, and the stage where both are built."""

    request: Request
    cache: builds.Cache
    stage: builds.Stage

    def build(self, revision: Revision, dependencies: Dependencies) -> Build:
        request = self.request
        pins = dependencies.base if revision == request.base else dependencies.head
        recipe = environments.recipe(request, pins)
        tools = {**builds.toolchain(recipe, request.env), **request.tools}
        key = builds.key(
            builds.Inputs(
                tree=revision.tree,
                recipe=recipe,
                env=request.variables,
                tools=tools,
                stage=request.places.stage,
            )
        )
        return self.cache.build(
            builds.Order(
                revision=revision,
                recipe=recipe,
                key=key,
                env=request.variables,
                make_tree=partial(revisions.check_out, request.repository, revision),
            )
        )

    def forget(self) -> None:
        """Make no build known; downloads are."""
        self.stage.drop()
        shutil.rmtree(self.request.places.builds)
        self.request.places.builds.mkdir()

    def say(self, build: Build, code: str) -> str:
        """Return what code prints at the stage, in that build."""
        self.stage.bring(build.key)
        stage = self.request.places.stage
        done = subprocess.run(
            (".venv/bin/python", "-c", code),
            cwd=stage,
            env={"PATH": "/usr/bin:/bin", "PYTHONSAFEPATH": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sources")
    pip = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:")
    for side in range(2):
        wanted = [f"{name}=={versions[side]}" for name, versions in PAIRS.items()]
        done = subprocess.run(
            (*pip, "--dest", str(folder), *wanted), capture_output=True, text=True, check=False
        )
        if done.returncode:
            pytest.fail(f"this test needs a package index, and pip reached none:\n{done.stderr}")
    return folder


def release(sources: Path, name: str, version: str, into: Path) -> None:
    """Replace what is in a checkout by the sources of a release."""
    for entry in into.iterdir():
        if entry.name != ".git":
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    (archive,) = (
        path for path in sources.iterdir() if path.name.lower() == f"{name}-{version}.tar.gz"
    )
    with tarfile.open(archive) as opened:
        opened.extractall(into, filter="data")
    (inner,) = into.glob("*-*/")
    for entry in inner.iterdir():
        entry.rename(into / entry.name)
    inner.rmdir()


MakeBench = Callable[..., Bench]


@pytest.fixture
def bench(tmp_path: Path, sources: Path) -> Iterator[MakeBench]:
    git = Git(tmp_path / "home")
    at = git.init(tmp_path / "project")
    places = prepare(Places(tmp_path / "cache"))
    with builds.hold(places, print):

        def make(name: str, python: PythonEnvironment) -> Bench:
            for version in PAIRS[name]:
                release(sources, name, version, at)
                git.commit(at, version)
                git(at, "tag", version)
            repository = git.open(at)
            stage = builds.Stage(places)
            base, head = (revisions.resolve(repository, tag) for tag in PAIRS[name])
            request = Request(
                recipe=Recipe(commands=(), python=python),
                repository=repository,
                base=base,
                head=head,
                places=places,
                env=builds.environment(os.environ, places),
            )
            return Bench(request=request, cache=builds.Cache(places, stage), stage=stage)

        yield make


@pytest.fixture(params=["uv", "pip"])
def installer(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    chosen = str(request.param)
    if chosen == "pip":
        monkeypatch.setattr(choosing, "_uv_version", lambda _path, _env: "")
    return chosen


def test_a_c_extension_is_built_for_both_sides_and_twice_the_same(
    bench: MakeBench, installer: str
) -> None:
    made = bench("markupsafe", PythonEnvironment(packages=("iniconfig",)))
    found = environments.resolve(made.request)
    base, head = (made.build(each, found) for each in (made.request.base, made.request.head))

    code = "import markupsafe._speedups as c, markupsafe; print(c.__file__, markupsafe.__version__)"
    stage = made.request.places.stage
    for build, version in zip((base, head), PAIRS["markupsafe"], strict=True):
        said = made.say(build, code)
        assert said.startswith(f"{stage}/.venv/lib/python")
        assert said.endswith(version)
    assert made.request.installer.version.startswith(installer)
    assert found.reasons == ()
    assert found.head.runtime[0].startswith("iniconfig==")
    assert base.manifest != head.manifest

    assert_compiled(stage)
    assert not [path for path in head.manifest if "/pip/" in path]

    made.forget()
    again = made.build(made.request.head, found)
    assert not again.cached
    assert again.manifest == head.manifest


def assert_compiled(stage: Path) -> None:
    """Every module is, and none would be looked at again because of a time."""
    modules = [path for path in stage.rglob("*.py") if not path.is_relative_to(stage / ".git")]
    assert len(modules) > 10
    for module in modules:
        (compiled,) = (module.parent / "__pycache__").glob(f"{module.stem}.*.pyc")
        assert compiled.read_bytes()[4:8] == _UNCHECKED


def test_versions_from_git_do_not_differ_between_the_sides(bench: MakeBench) -> None:
    made = bench("pluggy", PythonEnvironment())
    found = environments.resolve(made.request)

    code = "import importlib.metadata as m; print(m.version('pluggy'))"
    sides = (made.request.base, made.request.head)
    said = [made.say(made.build(side, found), code) for side in sides]

    assert said == ["1.6.0", "1.6.0"]
    assert any(line.startswith("setuptools-scm==") for line in found.head.build)
