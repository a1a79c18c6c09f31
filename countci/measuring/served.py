"""How a server is put under load with the build on the stage."""

from __future__ import annotations

import zlib
from dataclasses import replace

from countci import loads, queries
from countci.measuring.bench import Bench
from countci.model import Query, Run
from countci.process import Command


class Served:
    """One server query: what is started for it, and one run of its load."""

    def __init__(self, bench: Bench, query: Query) -> None:
        """Choose nothing yet."""
        self._bench, self._query = bench, query
        self._turn = 0

    @property
    def port(self) -> int:
        """What `{port}` stands for, on both sides."""
        return self._bench.ports.of(self._query.id)

    def asks(self, _n: int) -> Command:
        """Return the first of its commands; how much is asked is the load's affair."""
        return queries.server_commands(self._query, self._bench.place, self.port)[0]

    def turn(self, number: int) -> None:
        """Be told the number of the pair whose runs come: both get the same arrivals."""
        self._turn = number

    def run(self, command: Command) -> Run:
        """Return what one load on a fresh server found.

        Raises:
            MeasureError: the server or its load failed.
        """
        seed = zlib.crc32(self._query.id.encode()) * 10_000 + self._turn
        return loads.measure(command, self._trial(), seed=seed)

    def counted(self, seed: int, n: int) -> Command:
        """Return the server that answers n requests, and then ends, when it is counted.

        Args:
            seed: of hashes.
            n: requests.
        """
        place = self._bench.place.with_env({"PYTHONHASHSEED": str(seed)} if seed else {})
        first, *_ = queries.server_commands(self._query, place, self.port)
        return replace(first, driven=loads.answering(self._trial(), n))

    def _trial(self) -> loads.Trial:
        place = self._bench.place
        commands = queries.server_commands(self._query, place, self.port)
        return loads.Trial(
            name=self._query.id,
            work=queries.filled_work(self._query, place, self.port),
            more=tuple(each.argv for each in commands[1:]),
            scratch=self._bench.plan.places.runs,
        )
