"""The one path at which every build is made and run, and the renames that bring a side there."""

from __future__ import annotations

import os

import countci.builds.marker as markers
from countci import process
from countci.builds.marker import Marker
from countci.builds.moves import discard, move, renew
from countci.builds.occupants import drive_out
from countci.builds.places import Places
from countci.errors import MeasureError


class Stage:
    """The stage of one repository; used by the process that holds its lock, after `recover`."""

    def __init__(self, places: Places) -> None:
        """Take `places` as they are; what is on stage counts only when it is finished."""
        self.places = places
        found = markers.read(places.stage)
        self._current = found.key if found else None

    @property
    def current(self) -> str | None:
        """Key of the finished build on stage."""
        return self._current

    def bring(self, key: str) -> None:
        """Put a finished build and its work folder on the stage, once nothing runs there.

        Raises:
            MeasureError: there is no such build, or a process that isn't ours stays there.
        """
        self.settle()
        self.swap(key)

    def settle(self) -> None:
        """End all that builds and queries left behind: nothing of a side outlives its step.

        Raises:
            MeasureError: a process that isn't ours stays in the stage or in work.
        """
        places = self.places
        process.end_strays()
        drive_out(places, (places.stage, places.work))
        renew(places.home, places)

    def swap(self, key: str) -> None:
        """Bring a build by renames alone, well below a millisecond: for timed runs that alternate.

        The caller knows that nothing runs on the stage.

        Raises:
            MeasureError: there is no such build.
        """
        if key == self._current:
            return
        places = self.places
        if not (places.builds / key).is_dir():
            raise MeasureError("there is no such build", where=key, detail="run countci again")
        self._take_back()
        move(places.builds / key, places.stage)
        self._current = key
        if (places.works / key).is_dir():
            move(places.works / key, places.work)
        else:
            places.work.mkdir()

    def clear(self) -> None:
        """Empty the stage: a finished build goes back, anything else to the trash."""
        self.settle()
        self._take_back()

    def drop(self) -> None:
        """Empty the stage of what no one shall use: to the trash."""
        self.settle()
        self._current = None
        self._take_back()

    def finish(self, marker: Marker, manifest: dict[str, str]) -> None:
        """Make the tree on stage a finished build, with an empty work folder."""
        discard(self.places.work, self.places)
        self.places.work.mkdir()
        markers.write(self.places.stage, marker, manifest)
        self._current = marker.key

    def _take_back(self) -> None:
        places, key = self.places, self._current
        self._current = None
        if key is None:
            discard(places.stage, places)
            discard(places.work, places)
            return
        move(places.stage, places.builds / key)
        if os.path.lexists(places.work):
            move(places.work, places.works / key)
