"""The pipe that hears a whole family of processes."""

import subprocess
from pathlib import Path

from countci.counting.listener import listening


def say(pipe: Path, script: str) -> None:
    subprocess.run(["sh", "-c", script, "sh", str(pipe)], check=True)


def test_every_writer_is_heard_even_after_another_has_closed(tmp_path: Path) -> None:
    with listening(tmp_path / "log", 100) as log:
        say(tmp_path / "log", 'echo one > "$1"; echo two > "$1"')

    assert log.data == b"one\ntwo\n"
    assert not log.cut


def test_more_than_a_pipe_holds_is_heard_to_the_end(tmp_path: Path) -> None:
    with listening(tmp_path / "log", 10_000_000) as log:
        say(tmp_path / "log", 'yes 123456789 | head -c 3000000 > "$1"')

    assert len(log.data) == 3_000_000


def test_beyond_the_limit_only_the_end_is_kept(tmp_path: Path) -> None:
    with listening(tmp_path / "log", 10) as log:
        say(tmp_path / "log", '{ yes 123456789 | head -c 100000; echo last words; } > "$1"')

    assert log.data == b"123456789\n"
    assert log.cut
    assert log.last.endswith("last words\n")
    assert len(log.last) <= 8192


def test_silence_is_an_empty_log(tmp_path: Path) -> None:
    with listening(tmp_path / "log", 10) as log:
        pass

    assert log.last == ""
