"""A repository of countci's own making, for its selftest: the same commits on every machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from countci import process
from countci.revisions.environment import of_countci

_WHO = {
    f"GIT_{role}_{key}": text
    for role in ("AUTHOR", "COMMITTER")
    for key, text in {
        "NAME": "countci",
        "EMAIL": "countci@example.invalid",
        "DATE": "1000000000 +0000",
    }.items()
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A repository that is made here, below a folder that need not exist."""

    top: Path
    env: Mapping[str, str]
    """The user's environment; no setting of git in it takes part."""

    def commit(self, message: str, files: Mapping[str, str]) -> str:
        """Return the sha of a commit that has `files`, by path, on top of the last one.

        Raises:
            MeasureError: git is not there, or refuses.
        """
        for name, text in files.items():
            path = self.top / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        self._git("init", "--quiet")  # harmless where it was done
        self._git("add", "--all")
        self._git("commit", "--quiet", "--message", message)
        return self._git("rev-parse", "HEAD").strip()

    def _git(self, *arguments: str) -> str:
        command = process.Command(
            argv=("git", *arguments),
            env={**of_countci(self.env), **_WHO},
            cwd=self.top,
            private=True,
        )
        return process.run(command).stdout.decode()
