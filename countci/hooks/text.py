"""The text of a hook, and whether a text is still the one that was put there."""

from __future__ import annotations

import hashlib
import shlex

HOOKS = ("pre-push", "pre-merge-commit")
BEFORE = ".before-countci"
"""Added to the name of the hook that was there before."""

_MARK = "# put here by countci, digest "
_MADE = "# its folder was made for it\n"
# What git hands to the hook on standard input is needed twice.
_BODIES = {
    "pre-push": """\
refs=$(cat; echo .)
refs=${{refs%.}}
if [ -x "$before" ]; then
  printf %s "$refs" | "$before" "$@" || exit
fi
printf %s "$refs" | {call} "$@"
""",
    "pre-merge-commit": """\
if [ -x "$before" ]; then
  "$before" "$@" || exit
fi
{call} "$@"
""",
}
_TEXT = """\
{made}# The hook that was here before is beside it, with {before} at the end of its
# name, and is called first. `countci hook remove` puts it back.
before=$0{before}
python={python}
if [ ! -x "$python" ]; then
  echo "countci: error: not measured, since $python is gone" >&2
  echo "  install countci again, and type: countci hook install" >&2
  exit 3
fi
{body}"""


def render(hook: str, python: str, *, made_folder: bool) -> str:
    """Return the whole text of a hook.

    Args:
        hook: one of `HOOKS`.
        python: path of the interpreter that has countci: a hook's PATH is anybody's.
        made_folder: whether the folder it lies in is there only for it.
    """
    # -P: the repository at hand may hold a module of any name.
    body = _BODIES[hook].format(call=f'"$python" -P -m countci hook run {hook}')
    made = _MADE if made_folder else ""
    text = _TEXT.format(made=made, before=BEFORE, python=shlex.quote(python), body=body)
    return f"#!/bin/sh\n{_MARK}{_digest(text)}\n{text}"


def is_ours(text: str) -> bool:
    """Return whether countci put this hook here, whatever became of it since."""
    return _MARK in text


def is_edited(text: str) -> bool:
    """Return whether a hook of ours is no longer as it was put here."""
    shebang, _, rest = text.partition("\n")
    mark, _, body = rest.partition("\n")
    return shebang != "#!/bin/sh" or mark != f"{_MARK}{_digest(body)}"


def made_folder(text: str) -> bool:
    """Return whether the folder of a hook of ours is there only for it."""
    return _MADE in text


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
