"""Hooks put into a folder, and out of it again, with nothing of the user's lost."""

from __future__ import annotations

import enum
import os
from dataclasses import dataclass
from pathlib import Path

from countci.errors import UsageError
from countci.hooks.text import BEFORE, is_edited, is_ours, made_folder, render


class State(enum.Enum):
    """What is in the place of a hook."""

    NOTHING = "not installed"
    OTHER = "not installed; another hook is there"
    OURS = "installed"
    EDITED = "installed, and edited since"
    REPLACED = "not installed; a hook that came later is there"
    MISSING = "not installed; only the hook of before is there, under another name"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hook:
    """A hook's place in a folder."""

    folder: Path
    name: str

    @property
    def path(self) -> Path:
        """Where git looks for it."""
        return self.folder / self.name

    @property
    def before(self) -> Path:
        """Where the hook is kept that was there before."""
        return self.folder / f"{self.name}{BEFORE}"

    def text(self) -> str:
        """Return what is there; bytes that are no text stay what they are."""
        return self.path.read_bytes().decode(errors="surrogateescape")


def look(hook: Hook) -> State:
    """Return what is in the place of `hook`."""
    kept = os.path.lexists(hook.before)
    if not os.path.lexists(hook.path):
        return State.MISSING if kept else State.NOTHING
    if hook.path.is_file() and is_ours(text := hook.text()):
        return State.EDITED if is_edited(text) or not _as_we_made_it(hook) else State.OURS
    return State.REPLACED if kept else State.OTHER


def install(hook: Hook, python: str) -> bool:
    """Put `hook` there, and the one that is there beside it; return whether anything changed.

    Args:
        hook: its place.
        python: path of the interpreter that has countci.

    Raises:
        UsageError: something there would be lost, or the folder can't be written to.
    """
    state = look(hook)
    _refuse_unclear(hook, state)
    made = made_folder(hook.text()) if state is State.OURS else _only_ours(hook.folder)
    text = render(hook.name, python, made_folder=made)
    if state is State.OURS and hook.text() == text:
        return False
    try:
        hook.folder.mkdir(exist_ok=True)
        if state is State.OTHER:
            hook.path.rename(hook.before)
        _write(hook, text)
    except OSError as error:
        raise _not_writable(hook, error) from error
    return True


def remove(hook: Hook) -> bool:
    """Put back what was there before, to the byte; return whether there was anything to do.

    Raises:
        UsageError: what somebody added to the hook would be lost.
    """
    state = look(hook)
    if state in {State.NOTHING, State.OTHER}:
        return False
    _refuse_unclear(hook, state)
    made = state is State.OURS and made_folder(hook.text())
    try:
        if os.path.lexists(hook.before):
            hook.before.replace(hook.path)
        else:
            hook.path.unlink()
        if made and not any(hook.folder.iterdir()):
            hook.folder.rmdir()
    except OSError as error:
        raise _not_writable(hook, error) from error
    return True


def _as_we_made_it(hook: Hook) -> bool:
    return not hook.path.is_symlink() and os.access(hook.path, os.X_OK)


def _only_ours(folder: Path) -> bool:
    """Return whether everything in `folder` is there for countci's hooks, or it isn't there."""
    if not folder.is_dir():
        return True
    files = [path for path in folder.iterdir() if path.is_file()]
    texts = [path.read_bytes().decode(errors="surrogateescape") for path in files]
    return bool(texts) and all(is_ours(text) and made_folder(text) for text in texts)


def _write(hook: Hook, text: str) -> None:
    """Write the hook at once: git never sees half of one."""
    new = hook.folder / f"{hook.name}.new-countci"
    new.write_text(text, encoding="utf-8", errors="surrogateescape")
    new.chmod(0o755)
    new.replace(hook.path)


def _refuse_unclear(hook: Hook, state: State) -> None:
    if state is State.EDITED:
        raise UsageError(
            "was edited since countci put it there, and that would be lost",
            where=str(hook.path),
            detail=f"move what you added into {hook.before.name} beside it, which is called first "
            f"(chmod +x), delete {hook.name}, and type this again",
        )
    if state is State.REPLACED:
        raise UsageError(
            f"a hook that came later is there, and {hook.before.name} is kept beside it",
            where=str(hook.path),
            detail=f"make one file of the two, {hook.name}, delete {hook.before.name}, and type "
            "this again",
        )


def _not_writable(hook: Hook, error: OSError) -> UsageError:
    return UsageError(f"can't be written: {error.strerror or error}", where=str(hook.path))
