"""The types between the stages: what they compute, and that they are frozen and survive JSON."""

from __future__ import annotations

import inspect
from fractions import Fraction

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci import model
from countci.model import Counts, Fingerprint, Point, Query, Run, Status

STRUCTS = [
    kind
    for _, kind in inspect.getmembers(model, inspect.isclass)
    if issubclass(kind, msgspec.Struct) and kind is not model.Frozen
]


def counts(*points: tuple[int, int]) -> Counts:
    return Counts(points=tuple(Point(n=n, total=total) for n, total in points))


def command(text: str) -> model.CommandWork:
    return model.CommandWork(command=text)


@pytest.mark.parametrize("kind", STRUCTS)
def test_every_type_is_frozen_named_and_strict(kind: type[msgspec.Struct]) -> None:
    config = kind.__struct_config__

    assert config.frozen
    assert config.forbid_unknown_fields
    assert kind.__doc__


@given(
    start_up=st.integers(0, 10**12),
    ask=st.integers(1, 10**9),
    points=st.sets(st.integers(1, 10**6), min_size=2, max_size=3),
)
def test_slope_and_start_up_of_a_straight_line_are_exact(
    start_up: int, ask: int, points: set[int]
) -> None:
    line = counts(*((n, start_up + n * ask) for n in sorted(points)))

    assert line.per_ask == ask
    assert line.start_up == start_up
    assert line.bend in (None, 0.0)


def test_slope_is_a_fraction_and_never_rounded() -> None:
    assert counts((1, 100), (4, 200)).per_ask == Fraction(100, 3)


def test_slope_is_that_of_the_last_two_points() -> None:
    bent = counts((10, 1100), (20, 2300), (40, 4300))

    assert bent.per_ask == 100
    assert bent.start_up == 100  # what the first point holds beside its asks
    assert bent.bend == pytest.approx(0.2)


def test_one_point_is_a_whole_process() -> None:
    whole = counts((4, 402))

    assert whole.per_ask == Fraction(402, 4)
    assert whole.start_up is None
    assert whole.bend is None


def test_flat_line_has_no_bend() -> None:
    assert counts((1, 5), (2, 5), (4, 5)).bend is None


@pytest.mark.parametrize(
    ("text", "repeats"),
    [
        ("bank ask --repeat {n}", True),
        ("bank ask", False),
        ("bank {{n}}", False),
        ("bank {{{n}}}", True),
    ],
)
def test_command_with_a_place_for_n_repeats(text: str, repeats: bool) -> None:  # noqa: FBT001
    assert command(text).repeats is repeats


def test_query_is_named_by_suite_and_name() -> None:
    query = Query(suite="bank", name="field", file="queries/bank.toml", work=command("true"))

    assert query.id == "bank/field"


def test_query_comes_back_from_json_with_its_kind_of_work() -> None:
    query = Query(suite="s", name="q", file="f", work=command("true {n}"))

    encoded = msgspec.json.encode(query)

    assert b'"type":"command"' in encoded
    assert msgspec.json.decode(encoded, type=Query) == query


def test_unknown_key_is_refused_on_the_way_back() -> None:
    with pytest.raises(msgspec.ValidationError, match="extra"):
        msgspec.json.decode(b'{"n": 1, "total": 2, "extra": 3}', type=Point)


def test_time_is_wall_time_less_the_wait_where_that_is_known() -> None:
    assert Run(wall=1.0, user=0.5, system=0.25, wait=0.25).time == 0.75
    assert Run(wall=1.0, user=0.5, system=0.25, wait=None).time == 1.0


def test_core_share_is_cpu_time_by_wall_time() -> None:
    assert Run(wall=1.0, user=0.5, system=0.25, wait=None).core_share == 0.75
    assert Run(wall=0.0, user=0.0, system=0.0, wait=None).core_share == 0.0


def test_fingerprint_tells_every_part_of_it() -> None:
    first = Fingerprint(
        counter="1", valgrind="3.19", libc="2.36", machine="x86_64", cpu="v3", stage="/s"
    )
    others = [msgspec.structs.replace(first, **{name: "?"}) for name in first.__struct_fields__]

    assert len({fingerprint.digest for fingerprint in (first, *others)}) == 1 + len(others)
    assert first.digest == msgspec.structs.replace(first).digest
    assert len(first.digest) == 16


def test_status_is_listed_from_best_to_worst_with_its_exit_code() -> None:
    assert [(status.value, status.exit_code) for status in Status] == [
        ("pass", 0),
        ("unsettled", 4),
        ("fail", 1),
        ("error", 3),
    ]


def test_every_metric_has_a_default_limit() -> None:
    assert set(model.DEFAULT_LIMITS) == set(model.METRICS)
    assert all(metric.better in ("lower", "higher") for metric in model.METRICS.values())
