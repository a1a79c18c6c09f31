"""How a memory query is run with the build on the stage."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from functools import partial
from pathlib import Path

from countci import memory, queries
from countci.measuring.bench import Bench
from countci.memory import Trial
from countci.model import MemoryWork, Query, Run
from countci.process import Command


class Holding:
    """One memory query: what is started for it, and one run of all its steps."""

    def __init__(self, bench: Bench, query: Query) -> None:
        """Choose nothing yet."""
        self._bench, self._query = bench, query

    @property
    def port(self) -> int:
        """What `{port}` stands for, on both sides."""
        return self._bench.ports.of(self._query.id)

    @property
    def work(self) -> MemoryWork:
        """Placeholders filled in."""
        return queries.memory_work(self._query, self._bench.place, self.port)

    def asks(self, _n: int) -> Command:
        """Return what is started for the first number of steps."""
        return self._trial({}, self.work.at[0]).command

    def run(self, command: Command) -> Run:
        """Return what the processes held after each number of steps.

        Args:
            command: what `asks` gives, maybe with the environment of another variant.

        Raises:
            MeasureError: as `memory.measure` raises it.
        """
        own = self.asks(1).env
        other = {name: value for name, value in command.env.items() if own.get(name) != value}
        with tempfile.TemporaryDirectory(dir=self._bench.plan.places.runs) as folder:
            return memory.measure(
                partial(self._trial, other),
                self.work.at,
                name=self._query.id,
                folder=Path(folder),
            )

    def _trial(self, env: dict[str, str], at: int) -> Trial:
        commands = queries.memory_commands(self._query, self._bench.place, self.port, at)
        first, *touch = (replace(each, env={**each.env, **env}) for each in commands)
        return Trial(work=self.work, command=first, touch=tuple(touch))
