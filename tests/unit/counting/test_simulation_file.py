from __future__ import annotations

import pytest

from countci.counting.simulation_file import totals
from countci.errors import MeasureError

FILE = b"""\
desc: I1 cache:         32768 B, 64 B, 8-way associative
cmd: ./work 3
events: Ir D1mr Bcm
fl=work.c
fn=main
7 100 4 2
summary: 100 4 2
"""


def test_the_summary_is_told_by_event() -> None:
    assert totals(FILE, name="cg.1") == {"Ir": 100, "D1mr": 4, "Bcm": 2}


@pytest.mark.parametrize("cut", [b"summary: 100 4 2\n", b" 2\n", b"events: Ir D1mr Bcm\n"])
def test_a_truncated_file_is_an_error_that_names_it(cut: bytes) -> None:
    with pytest.raises(MeasureError) as caught:
        totals(FILE.replace(cut, b""), name="cg.1")
    assert caught.value.where == "cg.1"
