"""Functions that moved to another file: what is new in them is named, where they are now."""

from __future__ import annotations

from countci.explaining.diff import LineMap, parse
from countci.model import CauseKind
from tests.unit.explaining.programs import Body, Version, diff, explained

OLD, NEW = "hash.c", "util.c"
MIX = """\
static int mix(int state, int byte)
{
    for (int round = 0; round < 8; round++) {
        state ^= byte + round;
        state = state << 5 | state >> 27;
    }
    return state;
}

"""
HASH = """\
int hash(int length)
{
    int state = 1;
    for (int i = 0; i < length; i++)
        state = mix(state, i);
    return state;
}

int main(void)
{
    return hash(9);
}
"""
UTIL = "int smooth(int count)\n{\n    return count;\n}\n"
MOVED = "\n" + MIX.removeprefix("static ").rstrip("\n") + "\n"
LOOP: dict[str | int, int] = {"state ^= byte": 20, "state << 5": 30}
MAIN = Body(file=OLD, own={"return hash": 10}, calls={"return hash": [("hash", 50)]})
CALLING = Body(file=OLD, own={"mix(state, i)": 9}, calls={"mix(state, i)": [("mix", 3)]})


def base(own: dict[str | int, int]) -> Version:
    """Return it with `mix` inlined in `hash`, whose lines then stand in another function."""
    program = {"main": MAIN, "hash": Body(file=OLD, own={"mix(state, i)": 9, **own})}
    return Version(files={OLD: MIX + HASH, NEW: UTIL}, program=program)


def head(moved: str, own: dict[str | int, int]) -> Version:
    return Version(
        files={OLD: HASH, NEW: UTIL + moved},
        program={"main": MAIN, "hash": CALLING, "mix": Body(file=NEW, own=own)},
        changed=frozenset({"hash", "mix"}),
    )


def test_the_one_new_line_of_a_function_that_moved_is_named() -> None:
    moved = MOVED.replace("    }\n    return", "        state += state >> 3;\n    }\n    return")
    own = {**LOOP, "int mix(": 2, "state >> 3": 40}

    found = explained(base({name: 3 * cost for name, cost in LOOP.items()}), head(moved, own))

    assert [(cause.kind, cause.title) for cause in found.causes] == [(CauseKind.CHANGED, "mix")]
    assert [hunk.text for hunk in found.causes[0].hunks] == ["util.c:11"]
    assert found.causes[0].details == ("gcc no longer inlines mix in hash",)
    assert found.blame is not None
    assert (found.blame.hunk.text, found.blame.source) == ("util.c:11", "state += state >> 3;")


def test_a_function_that_moved_unchanged_is_named_where_it_is_now() -> None:
    own = {**LOOP, "int mix(": 12}

    found = explained(base({name: 3 * cost for name, cost in LOOP.items()}), head(MOVED, own))

    assert found.blame is not None
    assert (found.blame.hunk.text, found.blame.hunk.removed) == ("util.c:6", False)
    assert found.blame.source == "int mix(int state, int byte)"
    assert found.blame.title == "mix"


def test_a_removed_line_of_a_function_that_moved_costs_where_it_is_now() -> None:
    """Not `removed here`, at the place that it left."""
    moved = MOVED.replace("state ^= byte + round;", "state ^= byte * round;")
    own: dict[str | int, int] = {"byte * round": 90, "state << 5": 30}
    before = base({name: 3 * cost for name, cost in LOOP.items()})

    found = explained(before, head(moved, own))

    assert [hunk.text for hunk in found.causes[0].hunks] == ["util.c:9"]
    assert found.causes[0].words == "caused by this change"


def test_short_lines_beside_a_moved_block_moved_with_it() -> None:
    moved = MOVED.replace("    }\n    return", "        state += state >> 3;\n    }\n    return")
    lines = LineMap(parse(diff({OLD: MIX + HASH, NEW: UTIL}, {OLD: HASH, NEW: UTIL + moved})))

    new = [line for line in range(6, 15) if lines.edit_of_new(NEW, line) is not None]

    assert new == [6, 11]  # the header, which was static, and the new line; not `return state;`
