"""The `benchmark` fixture, as suites written for pytest-benchmark or pytest-codspeed use it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import pytest

from .asks import Apart, Counted, Instrument, nothing
from .digest import digest_of
from .plan import Plan
from .plans import Plans
from .traced import Tracing


class FixtureAlreadyUsed(Exception):  # noqa: N818 - pytest-benchmark's name
    """A test may ask one thing only."""


class Meter:
    """Counts what the current test asks, where it is the test's turn to be counted."""

    def __init__(self, instrument: Instrument | Tracing, plans: Plans) -> None:
        """Keep them."""
        self._instrument = instrument
        self._plans = plans
        self._test: str | None = None
        self._plan: Plan | None = None
        self.counted: Counted | None = None
        self.how = ""
        self.answer = ""
        """Digest of what the last ask returned."""

    def begin(self, test: str | None) -> None:
        """Count the test of that id; None: its asks are made once, not counted."""
        self._test, self.counted, self.how, self.answer = test, None, "", ""

    def ask(self, ask: Callable[[], Any], how: str) -> Any:  # noqa: ANN401 - what the ask returns
        """Return what one more, uncounted ask returns."""
        if self._test is not None:
            self.how = how
            self.counted = self._instrument.count(ask, self._planned(self._test))
        result = ask()
        return self._answered(result)

    def ask_apart(self, prepare: Callable[[], Apart], how: str) -> Any:  # noqa: ANN401
        """Return what one more, uncounted ask returns; all are prepared and undone."""
        if self._test is not None:
            self.how = how
            self.counted = self._instrument.count_apart(prepare, self._planned(self._test))
        ask, undo = prepare()
        result = ask()
        undo()
        return self._answered(result)

    def _planned(self, test: str) -> Plan | None:
        self._plan = self._plans.get(test)  # kept also when it is none: its memory stays taken
        return self._plan if self._plan.warm else None

    def _answered(self, result: Any) -> Any:  # noqa: ANN401
        if self._test is not None:
            self.answer = digest_of(result)
        return result


class Zeros:
    """Statistics that a suite may look at: there are none yet, all are 0."""

    def __getattr__(self, name: str) -> float:
        """Return 0 for mean, median, ..."""
        if name.startswith("__"):
            raise AttributeError(name)
        return 0.0

    def __getitem__(self, name: str) -> float:
        """Return 0."""
        return 0.0


class Metadata(Zeros):
    """What pytest-benchmark calls `benchmark.stats`."""

    def __init__(self) -> None:
        """Hold zeros one step further in, too."""
        self.stats = Zeros()
        self.extra_info: dict[str, Any] = {}


class Benchmark:
    """Asks what a test gives it."""

    def __init__(self, node: pytest.Item, meter: Meter) -> None:
        """Know the test by the names that suites read."""
        self._meter = meter
        self._used = ""
        marker = node.get_closest_marker("benchmark")
        case = getattr(node, "callspec", None)
        self.name = node.name
        self.fullname = node.nodeid
        self.group = marker.kwargs.get("group") if marker else None
        self.params = case.params if case else None
        self.param = case.id if case else None
        self.extra_info: dict[str, Any] = {}
        self.stats = Metadata()
        self.enabled, self.disabled, self.has_error = True, False, False
        self.weave = self.patch

    def __call__(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401
        """Ask the function; also used as a decorator."""
        self._once("call")
        ask = partial(function, *args, **kwargs) if args or kwargs else function
        return self._meter.ask(ask, "call")

    def pedantic(  # noqa: PLR0913, PLR0917 - pytest-benchmark's
        self,
        target: Callable[..., Any],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
        setup: Callable[[], Any] | None = None,
        teardown: Callable[..., Any] | None = None,
        rounds: int = 1,
        warmup_rounds: int = 0,
        iterations: int = 1,
    ) -> Any:  # noqa: ANN401
        """Ask the function; how often is countci's to say, so that the numbers are ignored."""
        del rounds, warmup_rounds, iterations
        self._once("pedantic")
        given = (tuple(args), dict(kwargs or {}))
        if setup is None and teardown is None:
            return self._meter.ask(partial(target, *given[0], **given[1]), "pedantic")

        def prepare() -> Apart:
            made = setup() if setup else None
            args, kwargs = given if made is None else made
            undo = partial(teardown, *args, **kwargs) if teardown else nothing
            return Apart(partial(target, *args, **kwargs), undo)

        return self._meter.ask_apart(prepare, "pedantic")

    def patch(self, *_args: Any, **_kwargs: Any) -> None:  # noqa: ANN401
        """Skip the test: what it patches would be measured inside other code."""
        pytest.skip("countci doesn't count what is woven into other code (weave, patch)")

    def _once(self, how: str) -> None:
        if self._used:
            raise FixtureAlreadyUsed(
                f"Fixture can only be used once. Previously it was used in {self._used} mode."
            )
        self._used = how


class Fixtures:
    """The plugin that provides them."""

    def __init__(self, meter: Meter) -> None:
        """Keep the meter."""
        self._meter = meter

    @pytest.fixture
    def benchmark(self, request: pytest.FixtureRequest) -> Benchmark:
        """Return what a test asks through."""
        return Benchmark(request.node, self._meter)

    @pytest.fixture
    def codspeed_benchmark(self, benchmark: Benchmark) -> Benchmark:
        """Return it under pytest-codspeed's name."""
        return benchmark

    @pytest.fixture
    def benchmark_weave(self, benchmark: Benchmark) -> Callable[..., None]:
        """Return what skips the test."""
        return benchmark.weave
