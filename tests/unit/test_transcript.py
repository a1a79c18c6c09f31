from __future__ import annotations

import subprocess
from pathlib import Path

from countci.process import Command
from countci.transcript import Transcript


def command(*argv: str, private: bool = False, **env: str) -> Command:
    return Command(argv=argv, env=env, cwd=Path("/"), private=private)


def test_what_was_run_can_be_run_again() -> None:
    transcript = Transcript()
    transcript.note(command("/bin/sh", "-c", 'printf "%s|" "$PWD" "$NAME"', NAME="it's a b"))
    transcript.note(command("/bin/cat"))

    done = subprocess.run(
        ["/bin/sh", "-c", transcript.text()], capture_output=True, text=True, check=True, env={}
    )

    assert done.stdout == "/|it's a b|"


def test_a_command_that_ran_often_is_one_line() -> None:
    transcript = Transcript()
    for _ in range(3):
        transcript.note(command("/bin/true"))

    assert transcript.text().count("/bin/true") == 1
    assert "# 3 times" in transcript.text()


def test_the_users_own_environment_is_never_written_down() -> None:
    transcript = Transcript()
    transcript.note(command("git", "status", private=True, MINE="hunter2"))

    assert "hunter2" not in transcript.text()
    assert "git status" not in transcript.text()
