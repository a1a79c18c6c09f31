"""Machine code, tables and flags of real binaries, whatever their addresses."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from countci.counting import CostGraph, Row
from countci.explaining.binaries import Examined, examine
from countci.explaining.sides import Code

pytestmark = pytest.mark.slow

PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int counter = 5;
static const int table[4] = {1, 2, 3, 4};
static const char *const names[2] = {"one", "two"};
__attribute__((noinline)) int scan(const char *text)
{
    int sum = counter;
    for (; *text; text++)
        sum += table[*text & 3];
    return sum;
}
__attribute__((noinline)) const char *named(int which)
{
    puts("named");
    return names[which & 1];
}
__attribute__((noinline)) int chosen(int which)
{
    switch (which) {
    case 0: return scan("a");
    case 1: return 7 + scan("bc");
    case 2: return rand();
    case 3: return abs(rand() - 9);
    case 4: return (int)strlen(named(which));
    default: return 3;
    }
}
int main(int argc, char **argv) { return chosen(argc) + (int)strlen(named(argc)); }
"""
BEFORE = "static const int table[4]"
FIRST = 'const char *first(void) { return "a longer text in front of all others"; }\n'
KINDS = (("-fPIE", "-pie"), ("-fno-pie", "-no-pie"))


def made(folder: Path, source: str, *flags: str) -> Path:
    folder.mkdir()
    (folder / "work.c").write_text(source)
    subprocess.run(["gcc", "-o", "work", "work.c", *flags], cwd=folder, check=True)
    return folder


def examined(stage: Path, graph: CostGraph | None = None) -> Examined:
    if graph is None:
        graph = CostGraph(
            asks=1,
            own={Row("work.c", "scan", 9): 100},
            calls={},
            start_up=frozenset(),
            objects={"scan": str(stage / "work")},
        )
    return examine(graph, stage, {"PATH": "/usr/bin:/bin"})


def code(stage: Path) -> Code:
    found = examined(stage).code
    assert found is not None
    return found


def changed(base: Code, head: Code) -> tuple[set[str], set[str]]:
    """Return the functions, and the data, that differ or are on one side only."""
    return (
        {name for name, _ in set(base.functions.items()) ^ set(head.functions.items())},
        {name for name, _ in set(base.objects.items()) ^ set(head.objects.items())},
    )


@pytest.mark.parametrize("kind", KINDS)
def test_code_and_tables_that_only_moved_are_the_same(
    kind: tuple[str, str], tmp_path: Path
) -> None:
    base = code(made(tmp_path / "a", PROGRAM, "-O2", "-g", *kind))
    head = code(made(tmp_path / "b", FIRST + PROGRAM, "-O2", "-g", *kind))

    assert changed(base, head) == ({"first"}, set())
    assert {"scan", "named", "chosen", "main"} <= base.functions.keys()
    assert {"table", "names"} <= base.objects.keys()
    assert base.producers.keys() == {"work.c"}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("edit", "differs"),
    [
        (("{1, 2, 3, 4}", "{1, 2, 3, 40}"), (set(), {"table"})),
        (('"two"', '"ten"'), (set(), {"names"})),
        (("counter = 5", "counter = 6"), ({"scan"}, set())),
        (("7 + scan", "8 + scan"), ({"chosen"}, set())),
        (("default: return 3", "default: return (int)strlen(argv0)"), ({"chosen"}, set())),
    ],
)
def test_what_differs_is_named(
    kind: tuple[str, str],
    edit: tuple[str, str],
    differs: tuple[set[str], set[str]],
    tmp_path: Path,
) -> None:
    source = "char *argv0;\n" + PROGRAM
    base = code(made(tmp_path / "a", source, "-O2", "-g", *kind))
    head = code(made(tmp_path / "b", source.replace(*edit), "-O2", "-g", *kind))

    assert changed(base, head) == differs


def test_flags_are_told_by_file(tmp_path: Path) -> None:
    base = code(made(tmp_path / "a", PROGRAM, "-O2", "-g"))
    head = code(made(tmp_path / "b", PROGRAM, "-Os", "-g"))

    assert " -O2" in base.producers["work.c"]
    assert " -Os" in head.producers["work.c"]
    assert "main" in changed(base, head)[0]


def test_debug_information_changes_no_function(tmp_path: Path) -> None:
    base = code(made(tmp_path / "a", PROGRAM, "-O2"))
    head = code(made(tmp_path / "b", PROGRAM, "-O2", "-g3"))

    assert changed(base, head) == (set(), set())
    assert base.producers == {}


def test_without_objdump_the_remedy_is_named(tmp_path: Path) -> None:
    stage = made(tmp_path / "a", PROGRAM)
    graph = CostGraph(asks=1, own={}, calls={}, start_up=frozenset())
    found = examine(graph, stage, {"PATH": str(tmp_path)})

    assert found.code is None
    assert "apt-get install binutils" in found.notes[0].text
