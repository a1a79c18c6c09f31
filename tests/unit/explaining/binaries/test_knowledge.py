from __future__ import annotations

import pytest

from countci.counting import CostGraph, Row
from countci.explaining.binaries.knowledge import knowledge

WORK = "/stage/build/work"
LIBC = "/lib/libc.so.6"
BINARIES = {WORK: "build/work"}
LINES = Row("src/work.c", "scan", 3)
FUNCTION = Row("???", "named", 0)
NOTHING = Row("???", "???", 0)
DARK = Row("???", "libc.so.6:0x9d3a0", 0)


def graph(own: dict[Row, int]) -> CostGraph:
    objects = {row.function: WORK for row in own if row != DARK} | {DARK.function: LIBC}
    return CostGraph(asks=1, own=own, calls={}, start_up=frozenset(), objects=objects)


@pytest.mark.parametrize(
    ("own", "names", "codes"),
    [
        ({LINES: 100}, "lines", []),
        ({LINES: 1000, FUNCTION: 3, NOTHING: 10}, "lines", []),
        ({LINES: 60, FUNCTION: 40}, "lines", ["no-debug-information"]),
        ({FUNCTION: 100}, "functions", ["no-debug-information"]),
        ({NOTHING: 100}, "none", ["stripped"]),
        ({LINES: 90, DARK: 10}, "lines", ["no-libc-names"]),
        ({LINES: 99, DARK: 1}, "lines", []),
        ({}, "lines", []),
    ],
)
def test_how_much_is_known_is_what_most_of_the_cost_says(
    own: dict[Row, int], names: str, codes: list[str]
) -> None:
    found, notes = knowledge(graph(own), BINARIES)

    assert found == names
    assert [note.code for note in notes] == codes


def test_each_note_says_what_to_do() -> None:
    texts = [
        note.text
        for row in (FUNCTION, NOTHING, DARK)
        for note in knowledge(graph({row: 100}), BINARIES)[1]
    ]

    assert texts[0].startswith("no debug information in build/work: functions only. Build with -g")
    assert texts[1:] == [
        "no names in build/work: do not strip the artifact",
        "install libc6-dbg to see names inside libc",
    ]
