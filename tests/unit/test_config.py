from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci import config
from countci.config import Config
from countci.errors import UsageError
from countci.model import DEFAULT_LIMITS, Limit, PythonEnvironment
from countci.units import Seconds

FULL = """
build = ["make -j2", "make check"]
build-inputs = ["src", "./Makefile"]
artifacts = ["build/bank"]
build-timeout = "5m"
pass-env = ["CCACHE_DIR"]
queries = "perf/queries/"
unsettled = "pass"
cache-size = "1 GiB"
cache-dir = "/var/cache/countci"
[limits]
instructions = "0.5%"
"""


def load(**files: str) -> Config:
    tree = {name.replace("_", "."): text.encode() for name, text in files.items()}
    return config.load(tree.get, where="HEAD (0b5fa1d)")


def refused(text: str) -> str:
    with pytest.raises(UsageError) as caught:
        load(countci_toml=text)
    return str(caught.value)


def test_every_key_is_read() -> None:
    settings = load(countci_toml=FULL)

    assert settings.source == "countci.toml"
    assert settings.recipe.commands == ("make -j2", "make check")
    assert settings.recipe.inputs == ("src", "Makefile")
    assert settings.recipe.artifacts == ("build/bank",)
    assert settings.recipe.timeout == Seconds(300)
    assert settings.pass_env == ("CCACHE_DIR",)
    assert settings.queries == "perf/queries"
    assert settings.unsettled == "pass"
    assert settings.cache_size == 2**30
    assert settings.cache_dir == Path("/var/cache/countci")
    assert settings.limits == {**DEFAULT_LIMITS, "instructions": Limit(share=0.005)}


def test_all_but_the_build_has_a_default() -> None:
    settings = load(countci_toml='build = "make"')

    assert settings.recipe.commands == ("make",)
    assert settings.queries == "queries"
    assert settings.unsettled == "fail"
    assert settings.limits == DEFAULT_LIMITS
    assert settings.cache_dir is None


def test_pyproject_serves_as_well() -> None:
    settings = load(pyproject_toml='[project]\nname = "x"\n[tool.countci]\nbuild = []\n')

    assert settings.source == "pyproject.toml"
    assert settings.recipe.commands == ()


def test_a_pyproject_of_another_folder_is_known_by_its_name() -> None:
    text = b"[tool.countci]\nbuild = 'make'\n"

    assert config.parse_file(text, file="sub/pyproject.toml").recipe.commands == ("make",)


def test_two_configurations_are_one_too_many() -> None:
    both = {"countci_toml": 'build = "make"', "pyproject_toml": "[tool.countci]\nbuild = 'x'"}

    with pytest.raises(UsageError, match="both configure countci"):
        load(**both)


@pytest.mark.parametrize("pyproject", ["[tool.ruff]\n", "broken [", "[tool.countci]\n"])
def test_a_pyproject_without_settings_leaves_countci_toml_alone(pyproject: str) -> None:
    settings = load(countci_toml='build = "make"', pyproject_toml=pyproject)

    assert settings.source == "countci.toml"


@pytest.mark.parametrize("files", [{}, {"pyproject_toml": "[tool.ruff]\n"}])
def test_no_configuration_says_how_to_get_one(files: dict[str, str]) -> None:
    with pytest.raises(UsageError) as caught:
        load(**files)

    assert caught.value.where == "HEAD (0b5fa1d)"
    assert "countci init" in caught.value.detail


@pytest.mark.parametrize("limit", ['"2.5%"', '"0.025"', '"+2.5 %"', "0.025"])
def test_a_limit_is_read_however_people_write_it(limit: str) -> None:
    settings = load(countci_toml=f'build = "make"\nlimits.time = {limit}')

    assert settings.limits["time"].share == pytest.approx(0.025)


def test_a_comma_in_a_limit_is_an_error_that_says_how() -> None:
    message = refused('build = "make"\n[limits]\ntime = "2,5%"')

    assert message.startswith("countci.toml:3: '2,5%' is not a limit")
    assert "point, not a comma" in message


def test_a_limit_of_one_is_not_taken_for_a_hundred_percent() -> None:
    assert 'write "1%"' in refused('build = "make"\nlimits.time = 1')


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("limits.instrutions = '1%'", 'instrutions: no such key; did you mean "instructions"?'),
        ("artefacts = []", 'artefacts: no such key; did you mean "artifacts"?'),
        ("unsettled = 'pas'", 'unsettled: "pas" is not one of fail, pass; did you mean "pass"?'),
        ("artifacts = 'x'", "artifacts: expected array, got string"),
        ("limits = 3", "limits: expected table, got integer"),
        ("limits.time = true", "limits.time: expected integer or float or string, got boolean"),
        ("cache-size = 'big'", "'big' is not a size"),
        ("cache-dir = '~/x'", "cache-dir: '~/x' is not an absolute path"),
        ("build-timeout = 'soon'", "'soon' is not a time span"),
        ("pass-env = ['A B']", "pass-env: 'A B' is not a name of the environment"),
        ("queries = '../q'", "queries: '../q' is not a path inside the project"),
        ("queries = '.'", "queries: '.' is not a path inside the project"),
        ("build-inputs = ['/etc']", "build-inputs: '/etc' is not a path inside the project"),
    ],
)
def test_a_slip_is_named_with_its_line(line: str, message: str) -> None:
    shown = refused(f'build = "make"\n{line}\n')

    assert shown.startswith("countci.toml:2: ")
    assert message in shown


@pytest.mark.parametrize("build", ["'make && make install'", "['']", "['make', 'x \"']"])
def test_a_build_that_could_never_run_is_refused_before_it_is_tried(build: str) -> None:
    assert refused(f"build = {build}").startswith("countci.toml:1: ")


def test_a_missing_build_says_what_to_write() -> None:
    assert "build = []" in refused("queries = 'q'")


PYTHON = """
[python]
interpreter = "python3.12"
extras = ["test"]
groups = ["bench"]
requirements = ["./requirements/bench.txt"]
packages = ["pytest>=8"]
pretend-version = false
install = false
"""


def test_every_key_of_a_python_environment_is_read() -> None:
    recipe = load(countci_toml=PYTHON).recipe

    assert recipe.commands == ()
    assert recipe.python == PythonEnvironment(
        interpreter="python3.12",
        extras=("test",),
        groups=("bench",),
        requirements=("requirements/bench.txt",),
        packages=("pytest>=8",),
        pretend_version=False,
        install=False,
    )


def test_a_python_environment_needs_no_more_than_its_name() -> None:
    recipe = load(countci_toml="build = 'make'\n[python]\n").recipe

    assert recipe.python == PythonEnvironment()
    assert recipe.commands == ("make",)
    assert load(countci_toml="build = 'make'").recipe.python is None


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("extra = ['test']", 'python.extra: no such key; did you mean "extras"?'),
        ("extras = 'test'", "python.extras: expected array, got string"),
        ("extras = ['a]']", "python.extras: 'a]' is no name"),
        ("groups = ['']", "python.groups: '' is no name"),
        ("install = 'no'", "python.install: expected bool"),
        ("interpreter = 'bin/python'", "write a name on PATH"),
        ("interpreter = '-c'", "python.interpreter: '-c' names no program"),
        ("requirements = ['../r.txt']", "'../r.txt' is not a path inside the project"),
        ("packages = ['-r x']", "python.packages: '-r x' is no package"),
        ("packages = ['a\\nb']", "is no package"),
    ],
)
def test_a_slip_in_a_python_environment_is_named_with_its_line(line: str, message: str) -> None:
    shown = refused(f"[python]\n{line.replace(chr(39), chr(34))}\n")

    assert shown.startswith("countci.toml:2: ")
    assert message in shown


def test_compiler_flags_are_kept_from_python_builds_and_no_others() -> None:
    assert load(countci_toml="build = 'make'\npass-env = ['CFLAGS']").pass_env == ("CFLAGS",)

    shown = refused("pass-env = ['CFLAGS']\n[python]\n")

    assert shown.startswith("countci.toml:1: pass-env: CFLAGS can't reach a Python build")


Read = Callable[[str], bytes | None]


@given(st.integers(0, len(FULL)), st.binary(max_size=4), st.integers(0, 30))
def test_a_damaged_file_is_read_or_refused_with_its_name(at: int, junk: bytes, cut: int) -> None:
    damaged = FULL.encode()[:at] + junk + FULL.encode()[at + cut :]
    read: Read = {"countci.toml": damaged}.get

    refused = ""
    try:
        config.load(read, where="HEAD")
    except UsageError as error:
        refused = str(error)

    assert not refused or refused.startswith("countci.toml")
