from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci import config, queries
from countci.cli.proposals import Proposal, propose
from countci.cli.proposals.starter import config_text, suite_text
from countci.model import CommandWork, Query

CMAKE = """
project(bank C)
# add_executable(old old.c)
add_library(core core.c)
add_executable(test_core test_core.c)
add_executable(${PROJECT_NAME} main.c)
add_executable(bank::alias ALIAS bank)
"""
CMAKE_BIN = "set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)\nadd_executable(b b.c)"
CMAKE_LIBRARY = "add_library(core core.c)"
MAKE = """
CC ?= cc
PROG = words
all: $(PROG)
$(PROG): main.o \\
         list.o
\t$(CC) $(CFLAGS) -o $@ $^
libwords.so: list.o
\t$(CC) -shared -o $@ $^
%.o: %.c
\t$(CC) -c -o $@ $<
"""
MAIN = "int main(int argc, char **argv) { return 0; }"
CARGO = '[package]\nname = "tally"\n'
GO = 'package main\nimport "flag"\nfunc main() {}'
SCRIPT = '[project]\nname = "shout-it"\n[project.scripts]\nshout = "shout.cli:main"\n'
SCRIPT_NEEDS = SCRIPT.replace("[project.s", 'dependencies = ["click"]\n[project.s')

Files = dict[str, str]


def proposed(files: Files) -> Proposal:
    return propose({path: text.encode(errors="replace") for path, text in files.items()})


def loaded(proposal: Proposal) -> tuple[config.Config, Query]:
    """Return what the real loaders make of what init would write."""
    settings = config.parse_file(config_text(proposal).encode(), file="countci.toml")
    files = {"first.toml": suite_text(proposal, suite="first").encode()}
    [query] = queries.load(files, folder="queries", limits=settings.limits).queries
    return settings, query


@pytest.mark.parametrize(
    ("files", "build", "command"),
    [
        ({"CMakeLists.txt": CMAKE, "main.c": MAIN}, "cmake --build build -j2", "build/bank"),
        (
            {"CMakeLists.txt": "", "src/CMakeLists.txt": 'add_executable("b" b.c)'},
            "cmake --build build -j2",
            "build/src/b",
        ),
        ({"CMakeLists.txt": CMAKE_BIN}, "cmake --build build -j2", "build/bin/b"),
        (
            {"meson.build": "", "src/meson.build": "executable('mm', 'a.c')"},
            "meson compile -C build",
            "build/src/mm",
        ),
        ({"Makefile": MAKE}, "make -j2 words", "./words"),
        ({"configure": "", "src/Makefile.am": "bin_PROGRAMS = hi\n"}, "./configure", "src/hi"),
        ({"configure.ac": "", "Makefile.am": "bin_PROGRAMS = hi\n"}, "autoreconf -i", "./hi"),
        (
            {"Cargo.toml": CARGO, "src/main.rs": 'fn main() { "--help" }'},
            "cargo build --release",
            "target/release/tally --help",
        ),
        (
            {"Cargo.toml": CARGO, "Cargo.lock": "", "src/bin/one.rs": "fn main() {}"},
            "cargo build --release --locked",
            "target/release/one",
        ),
        (
            {"go.mod": "module example.com/me/tally/v2", "main.go": "package main"},
            "go build -o build/tally .",
            "build/tally",
        ),
        (
            {"go.mod": "module a", "cmd/x/main.go": GO},
            "go build -o build/x ./cmd/x",
            "build/x --help",
        ),
        (
            {"pyproject.toml": SCRIPT_NEEDS},
            "python3 -m venv build/venv",
            "build/venv/bin/shout --help",
        ),
    ],
)
def test_a_build_system_is_recognised_with_a_program_it_makes(
    files: Files, build: str, command: str
) -> None:
    proposal = proposed(files)

    assert build in proposal.build
    assert proposal.command == command
    assert proposal.sure


@pytest.mark.parametrize(
    ("files", "command"),
    [
        (
            {"pyproject.toml": SCRIPT, "src/shout/__init__.py": ""},
            'python3 -c "from shout.cli import main; main()"',
        ),
        ({"setup.py": "setup(name='a')", "a/__main__.py": "", "a/__init__.py": ""}, "python3 -m a"),
        (
            {"setup.py": "setup(name='acme')", "acme.py": ""},
            'python3 -c "import acme; print(acme.__name__)"',
        ),
        ({"package.json": '{"bin": {"x": "./bin/x.js"}}', "bin/x.js": ""}, "node bin/x.js"),
    ],
)
def test_what_runs_from_source_needs_no_build(files: Files, command: str) -> None:
    proposal = proposed(files)

    assert proposal.build == ()
    assert proposal.command == command


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"CMakeLists.txt": CMAKE_LIBRARY},
        {"meson.build": "library('x', 'x.c')"},
        {"Makefile": "test:\n\tpytest\n"},
        {"configure": "", "Makefile.am": "lib_LTLIBRARIES = x\n"},
        {"Cargo.toml": CARGO, "src/lib.rs": ""},
        {"Cargo.toml": "broken ["},
        {"go.mod": "module a", "a.go": "package a"},
        {"pyproject.toml": "project = 1"},
        {"package.json": "[]"},
        {"package.json": "broken {"},
    ],
)
def test_where_no_program_is_known_there_is_a_stand_in_that_says_so(files: Files) -> None:
    proposal = proposed(files)

    assert not proposal.sure
    assert "stand-in" in suite_text(proposal, suite="first")


def test_a_makefile_that_only_drives_tools_leaves_a_python_project_one() -> None:
    files = {"Makefile": "test:\n\tpytest\n", "pyproject.toml": SCRIPT, "shout.py": ""}

    assert proposed(files).found.startswith("Python")


def test_a_program_wins_over_a_build_system_without_one() -> None:
    assert proposed({"CMakeLists.txt": CMAKE_LIBRARY, "Makefile": MAKE}).command == "./words"


@pytest.mark.parametrize(
    ("source", "command"),
    [('main() { "--version" }', "./words --version"), ('main() { "--help" }', "./words --help")],
)
def test_a_program_is_asked_for_what_its_source_knows(source: str, command: str) -> None:
    assert proposed({"Makefile": MAKE, "main.c": source}).command == command


def test_a_source_folder_of_python_is_on_its_path() -> None:
    _, query = loaded(proposed({"pyproject.toml": SCRIPT, "src/shout/__init__.py": ""}))

    assert query.work.env == {"PYTHONPATH": "src"}


def test_query_files_stay_out_of_the_way_of_python_packaging() -> None:
    settings, _ = loaded(proposed({"setup.py": "setup(name='acme')"}))

    assert settings.queries == "benchmarks/queries"


def test_what_is_written_loads_as_what_was_proposed() -> None:
    proposal = proposed({"CMakeLists.txt": CMAKE, "main.c": MAIN})

    settings, query = loaded(proposal)

    assert settings.recipe.commands == proposal.build
    assert isinstance(query.work, CommandWork)
    assert query.work.command == "build/bank"
    assert query.id == "first/start"


def test_each_default_that_is_shown_as_a_comment_is_the_real_one() -> None:
    text = config_text(proposed({"Makefile": MAKE}))
    keys = ("build-timeout", "queries", "unsettled", "cache-size", "instructions", "time")
    said = text
    for key in keys:
        said = said.replace(f"# {key} = ", f"{key} = ")

    assert said.count("\n# ") == text.count("\n# ") - len(keys)
    assert config.parse_file(said.encode(), file="f") == config.parse_file(text.encode(), file="f")


NAMES = (
    "CMakeLists.txt meson.build Cargo.toml go.mod main.go setup.py package.json pyproject.toml "
    "configure Makefile.am Makefile src/main.rs x/__init__.py"
)
SNIPPETS = (
    *(CMAKE, MAKE, CARGO, SCRIPT, GO, MAIN, '{"bin": "a b.js"}'),
    *("add_executable(a${b} {n})", "add_executable({n} x)", "executable('a b', x)"),
    *("bin_PROGRAMS = $(X) {y} 'z", "$(X): a\n\tcc -o $@", "X = $(X)$(X)\n"),
)


@given(
    st.dictionaries(
        st.sampled_from(NAMES.split()),
        st.lists(st.sampled_from(SNIPPETS) | st.text(), max_size=3).map("\n".join),
    )
)
def test_whatever_a_repository_holds_what_is_written_loads(files: Files) -> None:
    assert loaded(proposed(files))
