"""Builds that are finished, by key: each is made once, kept while there is room."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from pathlib import Path

import countci.builds.marker as markers
import countci.builds.recipe as recipes
from countci.builds.manifest import manifest, size
from countci.builds.marker import Marker
from countci.builds.moves import discard, renew
from countci.builds.places import Places
from countci.builds.stage import Stage
from countci.model import Build, Recipe, Revision, Variant
from countci.units import Seconds

_FAILED_LOGS = 20
"""Logs of failed builds that are kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A build that is wanted."""

    revision: Revision
    recipe: Recipe
    key: str
    """Of `key`, for this revision and recipe."""
    env: Mapping[str, str]
    """Of `environment`: all that the commands see."""
    make_tree: Callable[[Path], None]
    """Checks the revision out into the given folder, which doesn't exist yet."""
    variant: Variant | None = None
    """How the build is asked."""


class Cache:
    """The finished builds of one repository; used under its lock, after `recover`."""

    def __init__(self, places: Places, stage: Stage) -> None:
        """Use `stage` for what has to be built."""
        self.places = places
        self.stage = stage

    def known(self, order: Order) -> Build | None:
        """Return the build if it is there already; it counts as used now."""
        tree = self._tree(order.key)
        marker = markers.read(tree)
        if marker is None or marker.key != order.key:
            return None
        files = markers.read_manifest(tree, marker)
        if files is None:
            return None
        markers.touch(tree)
        return _build(order, marker, files, cached=True)

    def build(self, order: Order) -> Build:
        """Return the build, from the cache or made now; one made now is left on stage.

        Raises:
            MeasureError: a command failed, or an artifact is missing. The half-made tree
                is gone then, the log stays.
            CountciError: whatever `make_tree` raises.
        """
        if known := self.known(order):
            return known
        self.stage.clear()
        discard(self.places.builds / order.key, self.places)
        discard(self.places.works / order.key, self.places)
        try:
            return self._make(order)
        except BaseException:
            self.stage.drop()
            raise

    def prune(self, limit: int, keep: Container[str]) -> tuple[str, ...]:
        """Return the keys of the builds that went to the trash, until the rest fits the limit.

        Args:
            limit: bytes.
            keep: keys in use; they stay whatever the limit.
        """
        trees = [self.places.stage, *self.places.builds.iterdir()]
        found = [(marker, tree) for tree in trees if (marker := markers.read(tree))]
        found.sort(key=lambda each: markers.last_use(each[1]))
        total = sum(marker.size for marker, _ in found)
        gone = []
        for marker, tree in found:
            if total <= limit:
                break
            if marker.key in keep or tree == self.places.stage:
                continue
            discard(tree, self.places)
            discard(self.places.works / marker.key, self.places)
            self.log(marker.key).unlink(missing_ok=True)
            total -= marker.size
            gone.append(marker.key)
        self._prune_logs({marker.key for marker, _ in found})
        return tuple(gone)

    def log(self, key: str) -> Path:
        """Return where the log of a build is."""
        return self.places.logs / f"{key}.log"

    def _make(self, order: Order) -> Build:
        places = self.places
        renew(places.temporary, places)
        order.make_tree(places.stage)
        log, name = self.log(order.key), order.revision.name
        seconds = recipes.run(order.recipe, places, order.env, log, name=name)
        self.stage.settle()
        discard(places.temporary, places)
        files = manifest(places.stage, order.recipe.artifacts)
        marker = Marker(key=order.key, seconds=seconds, size=size(places.stage))
        self.stage.finish(marker, files)
        return _build(order, marker, files, cached=False)

    def _tree(self, key: str) -> Path:
        return self.places.stage if key == self.stage.current else self.places.builds / key

    def _prune_logs(self, built: Container[str]) -> None:
        failed = [log for log in self.places.logs.glob("*.log") if log.stem not in built]
        failed.sort(key=lambda log: log.stat().st_mtime_ns, reverse=True)
        for log in failed[_FAILED_LOGS:]:
            log.unlink()


def _build(order: Order, marker: Marker, files: dict[str, str], *, cached: bool) -> Build:
    return Build(
        key=order.key,
        revision=order.revision,
        manifest=files,
        seconds=Seconds(marker.seconds),
        cached=cached,
        variant=order.variant,
    )
