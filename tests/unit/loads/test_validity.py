from __future__ import annotations

import msgspec
import pytest

from countci.errors import MeasureError
from countci.loads.result import Found
from countci.loads.validity import invalid, starved
from countci.model import Load

OPEN = Load(url="http://127.0.0.1/", loop="open", rate=1_000.0, arrivals="constant", requests=5_000)
POISSON = msgspec.structs.replace(OPEN, arrivals="poisson")
CLOSED = Load(url="http://127.0.0.1/", requests=5_000)
GOOD = Found(
    sent=5_000,
    answered=5_000,
    wall=5.0,
    cpu=4.9,
    rate=1_000.0,
    latency={"p50": 0.001, "p99": 0.01},
    lateness={"p50": 1e-6, "p99": 20e-6},
    achieved=1_000.0,
)


def reasons(load: Load = OPEN, **changes: object) -> tuple[str, ...]:
    return invalid(load, msgspec.structs.replace(GOOD, **changes))


def late(p99: float) -> dict[str, float]:
    return {"p50": 1e-6, "p99": p99}


def test_a_good_run_has_nothing_against_it() -> None:
    assert reasons() == ()


def test_a_failed_request_makes_a_run_invalid() -> None:
    (text,) = reasons(answered=4_999, errors=1, error="reset")

    assert text == "1 of 5,000 requests failed: reset"


def test_a_missing_answer_makes_a_run_invalid() -> None:
    assert reasons(answered=4_998) == ("2 of 5,000 requests got no answer",)


def test_many_failed_requests_are_an_error_and_not_a_disturbance() -> None:
    with pytest.raises(MeasureError, match="2,500 of 5,000 requests got no good answer: refused"):
        reasons(answered=2_500, errors=2_500, error="refused")
    with pytest.raises(MeasureError, match="no answer came"):
        reasons(answered=0)


@pytest.mark.parametrize(
    ("achieved", "count"), [(995.5, 0), (994.5, 1), (1_004.5, 0), (1_005.5, 1)]
)
def test_a_constant_rate_may_be_off_by_half_a_percent(achieved: float, count: int) -> None:
    assert len(reasons(achieved=achieved)) == count


@pytest.mark.parametrize(
    ("achieved", "count"), [(944.0, 0), (943.0, 1), (1_056.0, 0), (1_057.0, 1)]
)
def test_a_poisson_rate_may_be_off_by_four_standard_deviations(achieved: float, count: int) -> None:
    assert len(reasons(POISSON, achieved=achieved)) == count


def test_a_client_that_sleeps_is_refused() -> None:
    (text,) = reasons(lateness=late(0.0008))

    assert "the load was late by 800\N{NO-BREAK SPACE}µs" in text


def test_lateness_is_no_matter_beside_slow_answers() -> None:
    assert reasons(lateness=late(0.0008), latency={"p50": 0.017, "p99": 1.0}) == ()
    assert len(reasons(lateness=late(0.0008), latency={"p50": 0.015, "p99": 1.0})) == 1


def test_a_closed_loop_that_fills_its_own_processor_measures_itself() -> None:
    assert reasons(CLOSED, wall=5.0, cpu=4.7) == ()
    (text,) = reasons(CLOSED, wall=5.0, cpu=4.8)
    assert "96% busy" in text


def test_an_open_loop_spins_and_may_fill_its_own_processor() -> None:
    assert reasons(wall=5.0, cpu=5.0) == ()


@pytest.mark.parametrize(
    ("others", "said"),
    [
        (0.0, []),
        (0.8, []),
        (0.81, ["other programs had 8% of the server's processors"]),
        (3.0, ["other programs had 30% of the server's processors"]),
    ],
)
def test_what_other_programs_had_of_the_servers_processors_makes_a_run_invalid(
    others: float, said: list[str]
) -> None:
    assert list(starved(others, 10.0)) == said


def test_a_server_that_is_bound_to_no_processor_has_none_to_lose() -> None:
    assert list(starved(0.0, 0.0)) == []
