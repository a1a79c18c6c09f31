from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci.counting.callgrind import parse
from countci.errors import MeasureError

HEAD = """# callgrind format
version: 1
creator: callgrind-3.19.0
pid: 1060
cmd:  ./forks 3
part: 1


desc: I1 cache: none
desc: Trigger: Program termination

positions: line
events: Ir
summary: 60137418


ob=(1) /usr/lib/ld.so
fl=(1) ???
fn=(1) 0x1
0 3
"""
WHOLE = HEAD + "\ntotals: 60137418\n"


def test_the_total_and_the_command_are_read() -> None:
    found = parse(WHOLE.encode(), name="cg.1")

    assert (found.command, found.total) == ("./forks 3", 60_137_418)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HEAD, "cg.1:21: no totals: the file is truncated"),
        ("", "cg.1:1: not a callgrind file"),
        ("cmd: ./forks\nevents: Ir\nsummary: 3\n", "cg.1:1: not a callgrind file"),
        (WHOLE.replace("events: Ir", "events: Dr"), "cg.1:1: not a callgrind file"),
        (WHOLE.replace("totals: 60137418", "totals: 0"), "cg.1:22: nothing was counted"),
        (WHOLE + "fn=(2) more\n", "no totals"),
    ],
    ids=["truncated", "empty", "cachegrind's", "other events", "zero", "more after the end"],
)
def test_a_file_that_can_not_be_used_is_named_with_its_line(text: str, said: str) -> None:
    with pytest.raises(MeasureError) as caught:
        parse(text.encode(), name="cg.1")

    assert said in str(caught.value)


@given(st.integers(0, len(WHOLE) - 1))
def test_a_file_cut_anywhere_is_refused(at: int) -> None:
    with pytest.raises(MeasureError):
        parse(WHOLE.encode()[:at], name="cg.1")
