"""Logs of system calls: recorded ones, and what is made of them."""

import os
from pathlib import Path

import pytest

from countci.counting.links import Walker
from countci.counting.readset import read_set, united
from countci.counting.syscalls import Call, Fork, Return, events, forks
from countci.counting.touched import Touched, follow
from countci.model import ReadSet

DATA = Path(__file__).parents[2] / "data" / "counting"


def one(*lines: str, pid: int = 7) -> bytes:
    """Return the log of one process."""
    return "".join(f"SYSCALL[{pid},1](0) {line} \n" for line in lines).encode()


def opened(path: str, number: int, at: str = "4294967196", flags: int = 524288) -> tuple[str, str]:
    call = f"sys_openat ( {at}, 0x10a004({path}), {flags} ) --> [async] ..."
    return call, f"... [async] --> Success({number:#x})"


def touched(log: bytes) -> Touched:
    return follow(events(log), start="/stage", parents=forks(log))


def test_a_recorded_log_gives_all_that_was_touched() -> None:
    found = touched((DATA / "one.log").read_bytes())

    assert {"/stage/a/b", "/stage/lib/nope", "/stage/lib/zz"} <= found.looked_up
    assert found.listed == {"/stage/lib"}
    assert "/stage/lib/libf.so" in found.loaded
    assert found.changed == {"/stage/lib/../out.txt"}
    assert "/proc/self/exe" in found.opened
    assert not found.unknown


def test_no_path_is_lost_where_processes_write_between_each_other() -> None:
    log = (DATA / "interleaved.log").read_bytes()
    found = touched(log)

    assert found.executed == {"/bin/true", "/usr/bin/cat"}
    assert "/lib/x86_64-linux-gnu/libc.so.6" in found.looked_up
    assert "/etc/ld.so.cache" in found.looked_up
    assert forks(log) == {10230: 10228}


def test_a_call_between_two_heads_belongs_to_no_process() -> None:
    log = b"SYSCALL[1,1](61) SYSCALL[2,1](59) sys_wait4 ( 3, 0x0, 0, 0x0 ) --> [async] ... \n"
    (call,) = events(log)

    assert isinstance(call, Call)
    assert (call.name, call.pid, call.lost) == ("wait4", None, True)


def test_calls_are_certain_again_once_the_late_one_has_come() -> None:
    log = (
        b"SYSCALL[1,1](2) SYSCALL[2,1](3) sys_close ( 3 )[sync] --> Success(0x0) \n"
        b"sys_close ( 4 )[sync] --> Success(0x0) \n"
        b"SYSCALL[2,1](3) sys_close ( 5 )[sync] --> Success(0x0) \n"
    )

    assert [call.pid for call in events(log) if isinstance(call, Call)] == [None, None, 2]


def test_events_come_in_the_order_of_the_log() -> None:
    log = one(*opened("x", 3), "sys_fork ( )   fork: process 7 created child 8")
    kinds = [type(event) for event in events(log)]

    assert kinds == [Call, Return, Call, Fork]


@pytest.mark.parametrize("here", ["4294967196", "18446744073709551516", "-100"])
def test_the_working_directory_is_known_in_every_spelling(here: str) -> None:
    found = touched(one(*opened("a.txt", 3, at=here)))

    assert found.opened == {"/stage/a.txt"}
    assert not found.unknown


def test_a_path_relative_to_an_open_folder_is_resolved() -> None:
    found = touched(one(*opened("lib", 3), *opened("x", 4, at="3")))

    assert "/stage/lib/x" in found.opened


def test_a_path_relative_to_an_unknown_folder_makes_it_unknown() -> None:
    assert touched(one(*opened("x", 4, at="3"))).unknown == "what x is relative to can't be told"


def test_a_closed_folder_is_forgotten() -> None:
    log = one(*opened("lib", 3), "sys_close ( 3 )[sync] --> Success(0x0)", *opened("x", 4, at="3"))

    assert touched(log).unknown


def test_a_copied_descriptor_is_followed() -> None:
    copy = "sys_fcntl[ARG3=='arg'] ( 3, 1030, 3 )[sync] --> Success(0x9)"
    found = touched(one(*opened("lib", 3), copy, *opened("x", 4, at="9")))

    assert "/stage/lib/x" in found.opened


def test_a_change_of_folder_is_followed_if_it_succeeds() -> None:
    there = "sys_chdir ( 0x10a004(sub) )[sync] --> Success(0x0)"
    nowhere = "sys_chdir ( 0x10a004(none) )[sync] --> Failure(0x2)"
    look = "sys_access ( 0x10a011(zz), 0 )[sync] --> Failure(0x2)"

    assert "/stage/sub/zz" in touched(one(there, nowhere, look)).looked_up


def test_a_child_starts_where_its_parent_was() -> None:
    there = "sys_chdir ( 0x10a004(sub) )[sync] --> Success(0x0)"
    back = "sys_chdir ( 0x10a004(/) )[sync] --> Success(0x0)"
    born = "sys_fork ( )   fork: process 7 created child 8"
    look = one("sys_access ( 0x10a011(zz), 0 )[sync] --> Failure(0x2)", pid=8)

    assert "/stage/sub/zz" in touched(one(there, born, back) + look).looked_up


def test_a_listed_folder_that_is_not_known_makes_it_unknown() -> None:
    log = one("sys_getdents64 ( 5, 0x40352d0, 32768 ) --> [async] ...")

    assert touched(log).unknown == "it lists a folder that can't be told"


@pytest.mark.parametrize("name", ["io_uring_setup", "chroot", "open_by_handle_at"])
def test_a_call_that_hides_what_it_reads_makes_it_unknown(name: str) -> None:
    assert (
        touched(one(f"sys_{name} ( 8, 0x0 )[sync] --> Success(0x3)")).unknown == f"it calls {name}"
    )


def test_arguments_that_make_no_sense_make_it_unknown() -> None:
    assert touched(one("sys_close ( x )[sync] --> Success(0x0)")).unknown


def test_a_path_with_parentheses_and_blanks_is_whole() -> None:
    found = touched(one(*opened("a (copy), b.txt", 3)))

    assert found.opened == {"/stage/a (copy), b.txt"}


def test_both_paths_of_a_rename_change() -> None:
    log = one("sys_rename ( 0x1(a), 0x2(b) ) --> [async] ...")

    assert touched(log).changed == {"/stage/a", "/stage/b"}


def test_every_link_on_the_way_is_named(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "lib.so.1").touch()
    (tmp_path / "real" / "lib.so").symlink_to("lib.so.1")
    (tmp_path / "lib").symlink_to(tmp_path / "real")
    found = Walker().walk(f"{tmp_path}/lib/../lib/./lib.so")

    assert [os.path.relpath(path, tmp_path) for path in found] == [
        *("lib", "lib", "real/lib.so", "real/lib.so.1")
    ]


def test_what_is_missing_on_the_way_is_named(tmp_path: Path) -> None:
    found = Walker().walk(f"{tmp_path}/a/b/c")

    assert [os.path.relpath(path, tmp_path) for path in found] == ["a", "a/b", "a/b/c"]


def test_links_in_a_circle_end(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")

    assert len(Walker().walk(f"{tmp_path}/a")) == 41


def read(log: bytes, stage: Path, program: str = "/bin/true") -> ReadSet:
    return read_set(log, stage=stage, cwd=stage, program=program).reads


def test_a_read_set_is_relative_to_the_stage_and_sorted(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    log = one(
        *opened("z.txt", 3),
        *opened("lib", 3),
        "sys_getdents64 ( 3, 0x40352d0, 32768 ) --> [async] ...",
    )

    assert read(log, tmp_path).paths == ("lib", "lib/", "z.txt")


def test_the_program_and_the_interpreter_of_its_first_line_are_read(tmp_path: Path) -> None:
    (tmp_path / "tool").write_text(f"#!{tmp_path}/interpreter -x\n")
    found = read(b"", tmp_path, program=f"{tmp_path}/tool")

    assert found.paths == ("interpreter", "tool")


def test_what_lies_elsewhere_is_named_with_its_links_and_what_is_missing(tmp_path: Path) -> None:
    stage = tmp_path / "top" / "stage"
    stage.mkdir(parents=True)
    (tmp_path / "tool").symlink_to("tool-1")
    (tmp_path / "tool-1").write_text("")
    log = one(
        *opened(f"{tmp_path}/tool", 3),
        *opened(f"{tmp_path}/none/x", 4),
        *opened("/etc", 5),
        "sys_getdents64 ( 5, 0x40352d0, 32768 ) --> [async] ...",
    )

    found = read(log, stage)

    names = {name for name in found.outside if name.startswith(f"{tmp_path}/")}
    assert names == {f"{tmp_path}/{each}" for each in ("tool", "tool-1", "none", "none/x")}
    assert "/etc/" in found.outside


@pytest.mark.parametrize("name", [".git", ".git/HEAD"])
def test_a_look_into_git_is_not_provable(tmp_path: Path, name: str) -> None:
    assert read(one(*opened(name, 3)), tmp_path).unknown == "it looks into .git"


def test_a_program_that_opens_its_own_file_is_not_provable(tmp_path: Path) -> None:
    found = read(one(*opened("/proc/self/exe", 3)), tmp_path)

    assert found.unknown == "a program reads its own file"


def test_a_library_is_provable_when_loaded_and_not_when_read_as_data(tmp_path: Path) -> None:
    (tmp_path / "lib.so").write_bytes(b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x03\0" + bytes(60))
    mapped = "sys_mmap ( 0x483d000, 4096, 5, 2066, 3, 4096 ) --> [pre-success] Success(0x483d000)"

    assert read(one(*opened("lib.so", 3)), tmp_path).unknown == "it reads lib.so as data"
    assert not read(one(*opened("lib.so", 3), mapped), tmp_path).unknown


def test_a_log_that_is_not_whole_is_not_provable(tmp_path: Path) -> None:
    trace = read_set(b"", stage=tmp_path, cwd=tmp_path, program="/bin/true", cut=True)

    assert trace.reads.unknown == "its log of system calls is too long"


def test_files_that_were_written_into_the_tree_are_named(tmp_path: Path) -> None:
    log = one(
        *opened("cache.db", 3, flags=577), *opened("data", 4), *opened("/var/x", 5, flags=577)
    )
    trace = read_set(log, stage=tmp_path, cwd=tmp_path, program="/bin/true")

    assert trace.written == ("cache.db",)


def test_two_read_sets_unite_with_what_is_unknown() -> None:
    first = ReadSet(paths=("b",), outside=("/x",))
    second = ReadSet(paths=("a", "b"), unknown="why")

    assert united(first, second) == ReadSet(paths=("a", "b"), outside=("/x",), unknown="why")
