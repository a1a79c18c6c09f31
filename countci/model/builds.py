"""What is made of a revision."""

from __future__ import annotations

from countci.model.frozen import Frozen
from countci.model.revisions import Revision
from countci.model.variants import Variant
from countci.units import Seconds


class PythonEnvironment(Frozen, frozen=True, kw_only=True, rename="kebab"):
    """What is installed at the stage, in `.venv`, before the recipe's commands run."""

    interpreter: str = "python3"
    """A name on PATH, or an absolute path."""
    extras: tuple[str, ...] = ()
    """Of the project."""
    groups: tuple[str, ...] = ()
    """Dependency groups of the project's pyproject.toml."""
    requirements: tuple[str, ...] = ()
    """Paths of requirements files, below the top of the project."""
    packages: tuple[str, ...] = ()
    """Beside what the project asks for."""
    pretend_version: bool = True
    """Versions that are made from git are the same on both sides."""
    install: bool = True
    """The project itself too, not only what it depends on."""


class Recipe(Frozen, frozen=True, kw_only=True):
    """How a revision becomes a program. Made by `config.load`."""

    commands: tuple[str, ...]
    inputs: tuple[str, ...] = ()
    """Paths; a commit that touches none of them builds nothing. Empty: the whole tree counts."""
    artifacts: tuple[str, ...] = ()
    """Paths that are compared instead of the whole stage. Empty: the whole stage."""
    timeout: Seconds = Seconds(1800.0)
    python: PythonEnvironment | None = None


class Build(Frozen, frozen=True, kw_only=True):
    """What a recipe made of one revision. Made by `builds.cache`."""

    key: str
    """Hex; of all that the build depends on."""
    revision: Revision
    manifest: dict[str, str]
    """Digest of each file of the stage, or of each artifact, by its path below the stage."""
    seconds: Seconds
    """How long it took when it was made."""
    cached: bool
    """It was there already."""
    variant: Variant | None = None
    """How it is asked; two variants may share what was built."""


class Identity(Frozen, frozen=True, kw_only=True):
    """Why a query can't have changed: nothing that it reads differs. Made by `builds.identity`."""

    differs: tuple[str, ...]
    """Paths that differ all the same, none of which the query reads; sorted."""
