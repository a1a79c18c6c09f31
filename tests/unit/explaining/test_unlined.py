"""Builds without debug information: functions have names, and no lines."""

from __future__ import annotations

from dataclasses import replace

from countci.model import CauseKind
from tests.unit.explaining.programs import Body, Program, Version, explained

CODE = """\
static int weigh(int c) {
    return c * 3;
}

int main(void) {
    return weigh(2);
}
"""
PROGRAM: Program = {
    "main": Body(own={0: 50}, calls={0: [("weigh", 10)]}),
    "weigh": Body(own={0: 20}),
}
BASE = Version(files={"scan.c": CODE}, program=PROGRAM, unlined=frozenset(PROGRAM))
SLOWER: Program = {**PROGRAM, "weigh": Body(own={0: 33})}


def test_a_changed_function_is_known_by_its_name() -> None:
    files = {"scan.c": CODE.replace("c * 3", "c % 7 * 3")}
    head = replace(BASE, files=files, program=SLOWER, changed=frozenset({"weigh"}))

    found = explained(BASE, head)

    [cause] = found.causes
    assert (cause.kind, cause.title, cause.delta) == (CauseKind.CHANGED, "weigh", 130)
    assert found.blame is not None
    assert (found.blame.hunk.text, found.blame.sure) == ("scan.c:2", False)


def test_another_changed_function_is_not_blamed_for_it() -> None:
    files = {"scan.c": CODE.replace("weigh(2)", "weigh(3)")}
    head = replace(BASE, files=files, program=SLOWER, changed=frozenset({"weigh"}))

    [cause] = explained(BASE, head).causes
    assert cause.kind is CauseKind.COMPILED_DIFFERENTLY
