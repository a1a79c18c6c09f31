"""The hooks themselves, run by sh with a stand-in for the interpreter."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from countci.hooks import HOOKS, Hook, install

STAND_IN = """#!/bin/sh
echo "countci: $*" >> "$LOG"
[ "$5" = run ] && [ "$6" = pre-push ] && sed 's/^/countci reads /' >> "$LOG"
exit 4
"""
BEFORE = """#!/bin/sh
echo "before: $*" >> "$LOG"
sed 's/^/before reads /' >> "$LOG"
exit $CODE
"""
REFS = "refs/heads/a 1 refs/heads/a 2\nrefs/heads/b 3 refs/heads/b 4\n"


@pytest.fixture
def python(tmp_path: Path) -> Path:
    path = tmp_path / "an 'odd' $(folder)" / "python"
    path.parent.mkdir()
    return executable(path, STAND_IN)


def executable(path: Path, text: str) -> Path:
    path.write_text(text)
    path.chmod(0o755)
    return path


def run(hook: Hook, *words: str, code: int = 0, stdin: str = REFS) -> tuple[int, list[str], str]:
    """Return exit code, what was called with what, and standard error."""
    log = hook.folder / "log"
    done = subprocess.run(
        [hook.path, *words],
        input=stdin,
        env={"PATH": "/usr/bin:/bin", "LOG": str(log), "CODE": str(code)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, log.read_text().splitlines() if log.exists() else [], done.stderr


def test_a_push_calls_what_was_there_first_and_both_read_the_same(
    tmp_path: Path, python: Path
) -> None:
    hook = Hook(folder=tmp_path, name="pre-push")
    executable(hook.path, BEFORE)
    install(hook, str(python))

    code, calls, err = run(hook, "origin", "a b")

    assert (code, err) == (4, "")
    assert calls == [
        "before: origin a b",
        *(f"before reads {line}" for line in REFS.splitlines()),
        "countci: -P -m countci hook run pre-push origin a b",
        *(f"countci reads {line}" for line in REFS.splitlines()),
    ]


def test_a_merge_hands_its_words_and_its_standard_input_on(tmp_path: Path, python: Path) -> None:
    hook = Hook(folder=tmp_path, name="pre-merge-commit")
    executable(hook.path, BEFORE)
    install(hook, str(python))

    code, calls, err = run(hook, "x", stdin="in\n")

    assert (code, err) == (4, "")
    assert calls == [
        "before: x",
        "before reads in",
        "countci: -P -m countci hook run pre-merge-commit x",
    ]


@pytest.mark.parametrize("name", HOOKS)
def test_the_exit_code_of_what_was_there_is_honoured(
    tmp_path: Path, python: Path, name: str
) -> None:
    hook = Hook(folder=tmp_path, name=name)
    executable(hook.path, BEFORE)
    install(hook, str(python))

    code, calls, _ = run(hook, code=7)

    assert code == 7
    assert not any(call.startswith("countci") for call in calls)


@pytest.mark.parametrize("name", HOOKS)
def test_a_hook_that_was_switched_off_stays_so(tmp_path: Path, python: Path, name: str) -> None:
    hook = Hook(folder=tmp_path, name=name)
    executable(hook.path, BEFORE).chmod(0o644)
    install(hook, str(python))

    _, calls, _ = run(hook, code=7)

    assert calls[0].startswith("countci: ")


@pytest.mark.parametrize("name", HOOKS)
def test_a_countci_that_is_gone_is_never_green(tmp_path: Path, python: Path, name: str) -> None:
    hook = Hook(folder=tmp_path, name=name)
    install(hook, str(python))
    python.unlink()

    code, calls, err = run(hook)

    assert (code, calls) == (3, [])
    assert f"{python} is gone" in err
    assert "countci hook install" in err
