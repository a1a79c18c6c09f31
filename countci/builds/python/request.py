"""A pair of revisions whose environments are wanted, and what is known of the machine for it."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from countci.builds.places import Places
from countci.builds.python.choosing import choose
from countci.builds.python.installer import Installer
from countci.builds.python.interpreter import Interpreter, interpreter
from countci.model import PythonEnvironment, Recipe, Revision
from countci.revisions import Repository

PRETENDED = (
    *("SETUPTOOLS_SCM_PRETEND_VERSION", "PDM_BUILD_SCM_VERSION", "PBR_VERSION"),
    *("POETRY_DYNAMIC_VERSIONING_BYPASS", "UV_DYNAMIC_VERSIONING_BYPASS"),
)
"""What tools take that would ask git for a version; hatch-vcs is one of setuptools-scm's."""
_NUMBER = re.compile(r"\d+(?:\.\d+)*(?:(?:a|b|rc)\d+)?(?:\.post\d+)?")


@dataclass(frozen=True, kw_only=True)
class Request:
    """Two revisions, and where they are built. Used under the lock of the places."""

    recipe: Recipe
    """Of the configuration, with `python`."""
    repository: Repository
    base: Revision
    head: Revision
    places: Places
    env: Mapping[str, str]
    """Of `builds.environment`."""

    @property
    def python(self) -> PythonEnvironment:
        """What the configuration says."""
        assert self.recipe.python is not None
        return self.recipe.python

    @property
    def folder(self) -> Path:
        """Where downloads, pins and known answers are kept from run to run."""
        return self.places.root / "python"

    @cached_property
    def interpreter(self) -> Interpreter:
        """What the environments are made of."""
        return interpreter(self.python.interpreter, self.env)

    @cached_property
    def installer(self) -> Installer:
        """What installs packages."""
        return choose(self.interpreter, self.env)

    @property
    def tools(self) -> dict[str, str]:
        """What the builds depend on, beside `builds.toolchain` of their recipe."""
        return {**self.interpreter.identity, "[python] installer": self.installer.version}

    @cached_property
    def outside(self) -> dict[str, str]:
        """The environment of installers while there is no `.venv` yet.

        HOME is an empty folder there, so a user's own pip.conf isn't seen; what the machine
        has in /etc is. Downloads are kept, so that the second side needs none.
        """
        return {
            "PIP_CACHE_DIR": str(self.folder / "pip"),
            "UV_CACHE_DIR": str(self.folder / "uv"),
            **self.env,
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_NO_INPUT": "1",
            "PIP_ROOT_USER_ACTION": "ignore",
        }

    @cached_property
    def variables(self) -> dict[str, str]:
        """The whole environment of the builds."""
        venv = self.places.stage / ".venv"
        pretended = dict.fromkeys(PRETENDED, self._number) if self.python.pretend_version else {}
        return {
            **self.outside,
            "PATH": f"{venv}/bin:{self.env.get('PATH', os.defpath)}",
            "VIRTUAL_ENV": str(venv),
            **pretended,
        }

    @cached_property
    def _number(self) -> str:
        """The number of head's nearest tag: both sides get it, so that versions don't differ."""
        status, tag, _ = self.repository.git("describe", "--tags", "--abbrev=0", self.head.sha)
        found = _NUMBER.search(tag.decode(errors="replace")) if status == 0 else None
        return found[0] if found else "0"
