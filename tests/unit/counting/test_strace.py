from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from countci.counting import strace
from countci.errors import MeasureError
from countci.process import Command
from countci.units import Seconds

TABLE = b"""\
% time     seconds  usecs/call     calls    errors syscall
------ ----------- ----------- --------- --------- ----------------
 60.00    0.000300           5        60           write
 40.00    0.000200           6        31         1 openat
  0.00    0.000000           0         1         1 access
------ ----------- ----------- --------- --------- ----------------
100.00    0.000500           5        92         2 total
"""


def test_all_calls_are_added_failed_ones_included() -> None:
    assert strace.parse(TABLE, name="ask") == 92


def test_older_tables_leave_a_column_out_of_the_last_line() -> None:
    older = TABLE.replace(
        b"100.00    0.000500           5        92", b"100.00    0.000500                    92"
    )

    assert strace.parse(older, name="ask") == 92


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        (b"", "not whole"),
        (TABLE[: TABLE.rindex(b"------ ")], "add up to 91"),
        (TABLE.replace(b"        60 ", b"        61 "), "add up to 93"),
        (TABLE.replace(b"        60 ", b"        6x "), "malformed line ' 60.00"),
        (b"------ ----------- ----------- --------- ---------\n", "not whole"),
    ],
)
def test_a_table_that_is_not_whole_is_refused(table: bytes, problem: str) -> None:
    with pytest.raises(MeasureError, match=problem) as caught:
        strace.parse(table, name="ask 10")

    assert caught.value.where == "ask 10"


@pytest.fixture
def command(tmp_path: Path) -> Command:
    return Command(argv=("sh", "-c", "true"), env={"PATH": "/usr/bin:/bin"}, cwd=tmp_path)


def test_the_program_runs_under_strace_with_time_for_it(command: Command, tmp_path: Path) -> None:
    limited = replace(command, timeout=Seconds(2.0))
    wrapped = strace.wrap(limited, out=tmp_path / "calls", strace="/usr/bin/strace")

    assert wrapped.argv[:5] == ("/usr/bin/strace", "-f", "-c", "-o", str(tmp_path / "calls"))
    assert wrapped.argv[5].endswith("/sh")
    assert wrapped.argv[6:] == ("-c", "true")
    assert wrapped.timeout == Seconds(50)


def test_a_missing_strace_is_named_with_what_installs_it(tmp_path: Path) -> None:
    with pytest.raises(MeasureError, match="strace is not there") as caught:
        strace.find({"PATH": str(tmp_path)}, tmp_path)

    assert caught.value.detail == "apt-get install strace"


def test_a_strace_that_may_not_trace_is_told_from_a_failing_program(
    command: Command, tmp_path: Path
) -> None:
    refused = tmp_path / "strace"
    refused.write_text(
        "#!/bin/sh\necho 'strace: test_ptrace_get_syscall_info: PTRACE_TRACEME: Operation not "
        "permitted' >&2\nexit 1\n"
    )
    refused.chmod(0o755)
    here = replace(command, env={"PATH": f"{tmp_path}:/usr/bin:/bin"})

    with pytest.raises(MeasureError, match="may not trace") as caught:
        strace.run(here, tmp_path / "run")
    assert "--cap-add=SYS_PTRACE" in caught.value.detail
