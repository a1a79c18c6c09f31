"""Trees, orders and markers for the tests of builds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from countci.builds import Order, Places, Stage, manifest
from countci.builds.marker import Marker
from countci.builds.places import prepare
from countci.model import Build, Recipe, Revision
from countci.units import Seconds

ENV = {"PATH": "/usr/bin:/bin"}


def make_places(root: Path) -> Places:
    return prepare(Places(root / "cache"))


def make_tree(files: dict[str, str]) -> Callable[[Path], None]:
    def write(tree: Path) -> None:
        (tree / ".git").mkdir(parents=True)
        for name, text in files.items():
            path = tree / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    return write


def make_revision(name: str = "HEAD") -> Revision:
    return Revision(name=name, sha="0" * 40, tree="1" * 40, subject="s", when=0)


def make_order(
    key: str, *commands: str, files: dict[str, str] | None = None, recipe: Recipe | None = None
) -> Order:
    return Order(
        revision=make_revision(),
        recipe=recipe or Recipe(commands=commands),
        key=key,
        env=ENV,
        make_tree=make_tree(files or {"name": key}),
    )


def make_finished(stage: Stage, key: str, size: int = 1) -> None:
    """Put a finished build on stage whose only file is `name`, holding its key."""
    stage.clear()
    make_tree({"name": key})(stage.places.stage)
    marker = Marker(key=key, seconds=1.0, size=size)
    stage.finish(marker, manifest(stage.places.stage))


def make_build(files: dict[str, str]) -> Build:
    return Build(
        key="k", revision=make_revision(), manifest=files, seconds=Seconds(0.0), cached=False
    )
