"""Constructed changes of code: each is found, and named with the confidence it deserves."""

from __future__ import annotations

from dataclasses import replace

from countci.model import CauseKind
from tests.unit.explaining.programs import Body, Version, explained

SCAN = """\
int weigh(int c) {
    return c * 3;
}

int scan(const char *s) {
    int sum = 0;
    while (*s)
        sum += weigh(*s++);
    return sum;
}

int main(void) {
    return scan("some text");
}
"""
LIBC = {"malloc": Body(own={0: 70}), "free": Body(own={0: 30})}


def base() -> Version:
    return Version(
        files={"src/scan.c": SCAN},
        program={
            "main": Body(
                file="src/scan.c", own={"return scan": 10}, calls={"return scan": [("scan", 50)]}
            ),
            "scan": Body(
                file="src/scan.c",
                own={"while": 40, "weigh(*s++)": 20},
                calls={"weigh(*s++)": [("weigh", 10)]},
            ),
            "weigh": Body(file="src/scan.c", own={"c * 3": 6}),
            **LIBC,
        },
    )


def changed(text: str, program: dict[str, Body], *functions: str) -> tuple[Version, Version]:
    before = replace(base(), changed=frozenset())
    after = replace(
        before,
        files={"src/scan.c": text},
        program={**before.program, **program},
        changed=frozenset(functions),
    )
    return before, after


def test_a_changed_line_that_costs_more_is_the_cause() -> None:
    text = SCAN.replace("c * 3", "c % 7 * 3")

    found = explained(
        *changed(text, {"weigh": Body(file="src/scan.c", own={"c % 7": 30})}, "weigh")
    )

    [cause] = found.causes
    assert (cause.kind, cause.title, cause.delta) == (CauseKind.CHANGED, "weigh", 50 * 10 * 24)
    assert cause.words == "caused by this change"
    assert found.blame is not None
    assert (found.blame.hunk.text, found.blame.sure) == ("src/scan.c:2", True)
    assert found.blame.source == "return c % 7 * 3;"
    assert found.rest == 0
