"""Seventeen constructed commits, each explained from its name to the report."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from countci.model import CauseKind, Explanation, Report
from tests.real.bank import Repository, bank
from tests.real.constructed import COMMITS, Made, commit, first, lines

pytestmark = pytest.mark.slow

SURE = {"renamed file", "moved function", "malloc size", "format"}
"""Where the cost lies on the changed lines themselves, so that both rules name them."""
KINDS = {
    "struct field": CauseKind.ALLOCATOR,
    "malloc size": CauseKind.ALLOCATOR,
    "macro": CauseKind.DEFINITION,
    "table entry": CauseKind.DEFINITION,
    "reordered table": CauseKind.DEFINITION,
    "table value only": CauseKind.DEFINITION,
    "table beside a function": CauseKind.DEFINITION,
    "enum beside a macro": CauseKind.DEFINITION,
    "class field": CauseKind.DEFINITION,
    "class constant": CauseKind.SAME_CODE,  # ~Pool frees more blocks; kBlock comes second
    "optimisation flag": CauseKind.FLAGS,
    "protection flag": CauseKind.FLAGS,
}
"""Of the largest cause; of the others, a changed function."""


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    return first(tmp_path_factory.mktemp("explain"))


def explained(repository: Repository, head: str, query: str) -> Explanation:
    result = repository.top.parent / "result.json"
    ended = repository.countci("explain", "main", head, query, "--output", str(result))
    assert ended.code in (0, 1), ended.err
    [found] = msgspec.json.decode(result.read_bytes(), type=Report).explanations
    return found


@pytest.mark.parametrize("made", COMMITS, ids=lambda made: made.name)
def test_each_constructed_commit_is_explained_right(programs: Repository, made: Made) -> None:
    found = explained(programs, commit(programs, made), made.query)

    assert [note.code for note in found.notes] == []
    assert found.causes[0].kind is KINDS.get(made.name, CauseKind.CHANGED)
    assert sum(cause.delta for cause in found.causes) + found.rest == pytest.approx(
        found.head - found.base
    )
    if made.blamed is None:
        assert found.blame is None
        return
    assert found.blame is not None
    start, end = lines(programs, made.blamed)
    hunk = found.blame.hunk
    assert hunk.file == made.blamed.file
    assert start <= hunk.first <= hunk.last <= end, hunk.text
    assert found.blame.sure == (made.name in SURE)


def test_a_flag_is_said_as_it_was_before_and_as_it_is(programs: Repository) -> None:
    flag = next(made for made in COMMITS if made.name == "optimisation flag")

    found = explained(programs, commit(programs, flag), flag.query)

    assert found.causes[0].details[0] == "-O2 → -Os (from the debug information)"


def test_without_debug_information_functions_are_named_and_g_is_asked_for(tmp_path: Path) -> None:
    programs = first(tmp_path)
    programs.git("checkout", "-q", "-B", "bare", "main")
    programs.edit("No -g", "-O2 -g", "-O2", file="build.sh")
    programs.git("branch", "-f", "main")
    old = "state *= 1099511628211UL;"
    head = programs.edit("More work", old, f"{old}\n    state ^= state >> 7;", file="hash.c")

    found = explained(programs, head, "c/hash")

    assert [moved.name for moved in found.functions] == ["hash_work"]
    assert (found.blame, found.lines) == (None, ())
    assert any("-g" in note.text for note in found.notes)


_FIELDS = r"""
#include <stdio.h>
#include <stdlib.h>
struct out { char *p; const char *s; size_t len, cap; };
static int out_put(struct out *o, char c)
{
    if (o->len == o->cap) {
        size_t cap = o->cap ? o->cap * 2 : 32;
        char *p = realloc(o->p, cap);
        if (!p) return -1;
        o->p = p;
        o->cap = cap;
    }
    o->p[o->len++] = c;
    return 0;
}
static const char *field(const char *p, const char *end, struct out *o)
{
    o->len = 0;
    if (p < end && *p == '"') {
        for (p++; p < end && *p != '"'; p++)
            if (out_put(o, *p)) return NULL;
        o->s = o->p;
        return p + 1;
    }
    while (p < end && *p != ',') {
        if (out_put(o, *p++)) return NULL;
    }
    o->s = o->p;
    return p;
}
__attribute__((noinline)) long parse(const char *p, const char *end, long *sum)
{
    struct out o = { 0 };
    long fields = 0;
    for (; p < end; p++, fields++) {
        p = field(p, end, &o);
        if (!p) break;
        *sum += o.len ? o.s[0] : 0;
    }
    free(o.p);
    return fields;
}
int main(int argc, char **argv)
{
    static char text[4000];
    long sum = 0, fields = 0;
    for (unsigned i = 0; i < sizeof text; i++) text[i] = i % 9 ? 'a' + i % 7 : ',';
    for (long n = atol(argv[argc - 1]); n--;) fields += parse(text, text + sizeof text, &sum);
    printf("%ld\\n", sum + fields);
    return 0;
}
"""


def test_what_is_inlined_into_another_change_is_never_sure(tmp_path: Path) -> None:
    made = bank(tmp_path)
    made.commit(
        "Fields",
        countci_dot_toml='build = ["cc -O2 -g -o fields fields.c"]\n',
        fields_dot_c=_FIELDS,
        queries__bank_dot_toml='[query.fields]\ncommand = "./fields {n}"\n',
    )
    made.git("checkout", "-q", "-b", "both")
    two = _FIELDS.replace("(o->len == o->cap)", "(o->len >= o->cap)").replace(
        """    while (p < end && *p != ',') {
        if (out_put(o, *p++)) return NULL;
    }
    o->s = o->p;
""",
        """    const char *start = p;
    while (p < end && *p != ',')
        p++;
    o->s = start;
    o->len = p - start;
""",
    )
    head = made.commit("Plain fields are not copied", fields_dot_c=two)

    found = explained(made, head, "bank/fields")

    assert found.head < found.base
    assert found.blame is not None
    assert not found.blame.sure or found.blame.hunk.first > two[: two.index("start")].count("\n")
