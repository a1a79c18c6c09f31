from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from countci.errors import UsageError
from countci.hooks import HOOKS, Hook, State, install, look, remove

Seen = dict[str, tuple[int, bytes | str]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "hooks").mkdir()
    return tmp_path / "hooks"


@pytest.fixture
def hook(folder: Path) -> Hook:
    return Hook(folder=folder, name="pre-push")


def seen(folder: Path) -> Seen:
    """Return mode, and contents or target, of everything there."""
    return {
        path.name: (
            path.lstat().st_mode,
            str(path.readlink()) if path.is_symlink() else path.read_bytes(),
        )
        for path in folder.glob("*")
    }


def nothing(_: Path) -> None: ...


def script(path: Path) -> None:
    path.write_bytes(b"#!/bin/sh\r\n\xff no newline")
    path.chmod(0o751)


def switched_off(path: Path) -> None:
    path.write_text("#!/bin/sh\n")
    path.chmod(0o644)


def link(path: Path) -> None:
    path.symlink_to("../scripts/pre-push")


@pytest.mark.parametrize("there", [nothing, script, switched_off, link])
def test_remove_restores_what_was_there(
    folder: Path, hook: Hook, there: Callable[[Path], None]
) -> None:
    there(hook.path)
    (folder / "commit-msg.sample").write_text("sample\n")
    before = seen(folder)

    assert install(hook, sys.executable)
    assert look(hook) is State.OURS
    assert remove(hook)

    assert seen(folder) == before


@pytest.mark.parametrize("there", [nothing, script])
def test_a_second_install_changes_nothing(hook: Hook, there: Callable[[Path], None]) -> None:
    there(hook.path)
    install(hook, sys.executable)
    before = seen(hook.folder)

    assert not install(hook, sys.executable)

    assert seen(hook.folder) == before


def test_an_install_from_elsewhere_takes_over_and_keeps_the_hook_of_before(hook: Hook) -> None:
    script(hook.path)
    before = seen(hook.folder)
    install(hook, "/old/python")

    assert install(hook, "/new/python")

    assert "/old" not in hook.text()
    remove(hook)
    assert seen(hook.folder) == before


@pytest.mark.parametrize("order", [HOOKS, HOOKS[::-1]])
def test_a_folder_that_was_made_for_the_hooks_goes_with_the_last_of_them(
    tmp_path: Path, order: tuple[str, ...]
) -> None:
    folder = tmp_path / "none"
    for name in HOOKS:
        install(Hook(folder=folder, name=name), sys.executable)
    install(Hook(folder=folder, name=HOOKS[0]), "/new/python")

    for name in order:
        assert remove(Hook(folder=folder, name=name))

    assert not folder.exists()


def test_an_empty_folder_of_the_users_stays(hook: Hook) -> None:
    install(hook, sys.executable)
    remove(hook)

    assert hook.folder.is_dir()


def add_a_line(hook: Hook) -> None:
    with hook.path.open("a") as file:
        file.write("make lint\n")


def switch_off(hook: Hook) -> None:
    hook.path.chmod(0o644)


@pytest.mark.parametrize("edit", [add_a_line, switch_off])
def test_a_hook_edited_since_is_not_lost(hook: Hook, edit: Callable[[Hook], None]) -> None:
    install(hook, sys.executable)
    edit(hook)
    before = seen(hook.folder)

    assert look(hook) is State.EDITED
    with pytest.raises(UsageError, match="was edited since"):
        install(hook, sys.executable)
    with pytest.raises(UsageError, match="was edited since") as caught:
        remove(hook)
    assert "pre-push.before-countci" in caught.value.detail
    assert seen(hook.folder) == before


def test_a_hook_that_replaced_ours_is_not_lost(hook: Hook) -> None:
    script(hook.path)
    install(hook, sys.executable)
    hook.path.write_text("#!/bin/sh\nmake lint\n")
    before = seen(hook.folder)

    with pytest.raises(UsageError, match="came later"):
        remove(hook)
    with pytest.raises(UsageError, match="came later"):
        install(hook, sys.executable)

    assert seen(hook.folder) == before


def test_the_hook_of_before_is_put_back_though_ours_was_deleted(hook: Hook) -> None:
    script(hook.path)
    before = seen(hook.folder)
    install(hook, sys.executable)
    hook.path.unlink()

    assert look(hook) is State.MISSING
    assert remove(hook)

    assert seen(hook.folder) == before


def test_an_install_that_was_cut_off_is_finished_by_the_next(hook: Hook) -> None:
    script(hook.path)
    before = seen(hook.folder)
    hook.path.rename(hook.before)

    assert install(hook, sys.executable)

    assert look(hook) is State.OURS
    remove(hook)
    assert seen(hook.folder) == before


@pytest.mark.parametrize("there", [nothing, script])
def test_what_is_not_installed_is_not_removed(hook: Hook, there: Callable[[Path], None]) -> None:
    there(hook.path)
    before = seen(hook.folder)

    assert not remove(hook)

    assert seen(hook.folder) == before


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    hook = Hook(folder=tmp_path / "none/hooks", name="pre-push")

    with pytest.raises(UsageError, match="can't be written: No such file"):
        install(hook, sys.executable)
