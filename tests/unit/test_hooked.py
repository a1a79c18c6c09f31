from __future__ import annotations

import io
import sys
from types import SimpleNamespace

import pytest

from countci.cli import hooked
from countci.hooks import Push

A, B, NOTHING = "a" * 40, "b" * 40, "0" * 40


def test_what_pre_commit_keeps_of_a_push_is_in_its_variables() -> None:
    env = {
        "PRE_COMMIT": "1",
        "PRE_COMMIT_FROM_REF": A,
        "PRE_COMMIT_TO_REF": B,
        "PRE_COMMIT_REMOTE_BRANCH": "refs/heads/main",
    }

    assert hooked._pushes(env) == (Push(branch="refs/heads/main", old=A, new=B),)


def test_the_first_push_of_all_has_no_old_commit_under_pre_commit() -> None:
    env = {"PRE_COMMIT": "1", "PRE_COMMIT_LOCAL_BRANCH": "refs/heads/main"}

    assert hooked._pushes(env) == (Push(branch="refs/heads/main", old=None, new="refs/heads/main"),)


def test_variables_of_pre_commit_without_pre_commit_mean_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    line = f"refs/heads/x {B} refs/heads/x {NOTHING}\n".encode()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(line)))

    assert hooked._pushes({"PRE_COMMIT_TO_REF": A}) == (Push(branch="x", old=None, new=B),)
