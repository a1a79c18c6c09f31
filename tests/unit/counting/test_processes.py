"""Which processes are added up, and which can't be."""

from pathlib import Path

import pytest

from countci.counting.processes import Family, gather
from countci.counting.profile import Profile, parse
from countci.errors import MeasureError

ROOT = b"==10== Command: /stage/bank 3\n==10== Parent PID: 1\n"
CHILD = b"==11== Command: /bin/echo a\\ b\n==11== Parent PID: 10\n"
FORK = b"SYSCALL[10,1](56) sys_clone ( 1200011 )   clone(fork): process 10 created child 12\n"


def profile(command: str, total: int) -> Profile:
    text = f"cmd: {command}\nevents: Ir\nfl=a\nfn=b\n1 {total}\nsummary: {total}\n"
    return parse(text.encode(), name="cg.1")


PROFILES = {
    "cg.10": profile("/stage/bank 3", 100),
    "cg.11": profile("/bin/echo a b", 20),
    "cg.12": profile("/stage/bank 3", 107),
}


def family(log: bytes, *pids: int, asked: str = "/stage/bank 3") -> Family:
    outputs = {pid: Path(f"cg.{pid}") for pid in pids}
    return gather(log, outputs, lambda path: PROFILES[path.name], asked)


def refused(log: bytes, *pids: int, asked: str = "/stage/bank 3") -> MeasureError:
    with pytest.raises(MeasureError) as caught:
        family(log, *pids, asked=asked)
    return caught.value


def test_one_process_is_its_own_total() -> None:
    alone = family(ROOT, 10)

    assert alone.total == 100
    assert alone.programs == ()


def test_a_child_that_execs_is_added_and_named() -> None:
    both = family(ROOT + CHILD, 10, 11)

    assert both.total == 120
    assert both.programs == ("/stage/bank 3", "/bin/echo a b")


def test_a_child_that_never_execs_is_an_error_that_says_how_to_go_on() -> None:
    error = refused(ROOT, 10, 12)

    assert error.problem == "1 forked without starting a program: they can't be counted"
    assert "inherits its parent's counts" in error.detail


def test_a_forked_child_that_was_counted_apart_is_added_and_named() -> None:
    both = family(ROOT + b"**12** countci: counted apart\n", 10, 12)

    assert both.total == 207
    assert both.programs == ("/stage/bank 3", "forked by /stage/bank 3")


def test_one_child_counted_apart_excuses_no_other() -> None:
    assert "inherits" in refused(ROOT + FORK + b"**11** countci: counted apart\n", 10, 11).detail


def test_a_child_counted_apart_that_left_nothing_is_an_error() -> None:
    log = ROOT + FORK + b"**12** countci: counted apart\n"

    assert refused(log, 10).problem.startswith("left no count")


def test_a_forked_child_that_left_nothing_is_seen_in_the_trace() -> None:
    assert refused(ROOT + FORK, 10).where == "/stage/bank 3"


def test_a_program_that_was_killed_is_an_error_that_names_it() -> None:
    error = refused(ROOT + CHILD, 10)

    assert error.where == "/bin/echo a\\ b"
    assert error.problem.startswith("left no count")


def test_another_program_is_refused() -> None:
    error = refused(ROOT, 10, asked="/stage/other")

    assert error.problem == "another program was counted: /stage/bank 3"
    assert error.where == "/stage/other"


def test_a_program_that_replaced_itself_is_the_one_asked_for() -> None:
    replaced = b"==10== Command: /usr/bin/env X=1 bank 3\n" + ROOT

    assert family(replaced, 10, asked="/usr/bin/env X=1 bank 3").total == 100


def test_a_log_without_a_program_is_an_error() -> None:
    assert refused(b"").problem == "valgrind never started the program"
