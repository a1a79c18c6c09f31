from __future__ import annotations

from pathlib import Path

import pytest

from countci.counting import dhat
from countci.counting.dhat import Allocated
from countci.errors import MeasureError
from countci.process import Command
from countci.units import Seconds

FILE = b"""{"dhatFileVersion":2
,"mode":"heap","verb":"Allocated"
,"cmd":"./ask \xff"
,"pps":
 [{"tb":3000,"tbk":20
  ,"tl":3613
  ,"fs":[1]
  }
 ,{"tb":1500,"tbk":10
  ,"fs":[2]
  }
 ]
,"ftbl":["[root]"]
}"""


def test_every_place_that_allocates_is_added() -> None:
    assert dhat.parse(FILE, name="dhat.7") == Allocated(blocks=30, size=4500)


def test_a_process_that_allocates_nothing_has_no_places() -> None:
    assert dhat.parse(b'{"mode":"heap","pps":[]}', name="dhat.7") == Allocated(blocks=0, size=0)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "not a whole file"),
        (FILE[:60], "not a whole file"),
        (b'{"mode":"heap"}', "not a whole file"),
        (FILE.replace(b'"heap"', b'"copy"'), "DHAT profiled copy"),
    ],
)
def test_a_file_that_is_not_whole_is_refused(content: bytes, problem: str) -> None:
    with pytest.raises(MeasureError, match=problem) as caught:
        dhat.parse(content, name="dhat.7")

    assert caught.value.where == "dhat.7"


def test_programs_it_starts_are_counted_too_and_no_setting_of_the_tree_matters(
    tmp_path: Path,
) -> None:
    command = Command(
        argv=("sh", "-c", "true"),
        env={"PATH": "/usr/bin:/bin"},
        cwd=tmp_path,
        timeout=Seconds(1.0),
    )
    wrapped = dhat.wrap(command, out=Path("/tmp/100%/x"), valgrind="/usr/bin/valgrind")  # noqa: S108

    assert {"--tool=dhat", "--trace-children=yes", "--command-line-only=yes"} < {*wrapped.argv}
    assert "--dhat-out-file=/tmp/100%%/x/dhat.%p" in wrapped.argv
    assert wrapped.argv[-2:] == ("-c", "true")
    assert wrapped.timeout == Seconds(80)
