"""Numbers as people write and read them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci import units
from countci.errors import UsageError

NBSP = "\N{NO-BREAK SPACE}"
MINUS = "\N{MINUS SIGN}"


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("1%", 0.01),
        ("+2.5 %", 0.025),
        (" .5% ", 0.005),
        ("3.%", 0.03),
        ("0.025", 0.025),
        (0.025, 0.025),
        (0, 0),
        ("100%", 1),
    ],
)
def test_limit_is_read(text: str | float, share: float) -> None:
    assert units.parse_share(text, where="x") == pytest.approx(share)


@pytest.mark.parametrize(
    "text", ["2,5%", "", "%", "-1%", "one", "1%%", "1 2%", "nan", "inf", "1e400", "\u0661%", "101%"]
)
def test_what_is_no_limit_is_an_error_that_says_how_to_write_one(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        units.parse_share(text, where="countci.toml: limits.time")

    assert caught.value.where == "countci.toml: limits.time"
    assert '"1%"' in caught.value.detail


@pytest.mark.parametrize("slip", ["1", 1, "1.0", 3])
def test_limit_that_lost_its_percent_sign_is_a_slip(slip: str | float) -> None:
    with pytest.raises(UsageError, match="100 % or more"):
        units.parse_share(slip, where="x")


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("60s", 60), ("500ms", 0.5), ("5m", 300), ("5 min", 300), ("1h", 3600), ("2.5", 2.5), (7, 7)],
)
def test_span_is_read(text: str | float, seconds: float) -> None:
    assert units.parse_seconds(text, where="x") == seconds


@pytest.mark.parametrize("text", ["", "0s", "-1s", "1d", "s", "1 s s", "1e9s", "nan", "1,5s"])
def test_what_is_no_span_is_an_error_that_says_how_to_write_one(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        units.parse_seconds(text, where="x")

    assert '"60s"' in caught.value.detail


def test_span_longer_than_any_timer_takes_is_an_error() -> None:
    with pytest.raises(UsageError, match="more than a week"):
        units.parse_seconds("169h", where="x")


@pytest.mark.parametrize(
    ("text", "size"), [("5 GiB", 5 * 2**30), ("1.5KiB", 1536), ("12B", 12), ("1TiB", 2**40)]
)
def test_size_is_read(text: str, size: int) -> None:
    assert units.parse_bytes(text, where="x") == size


@pytest.mark.parametrize("text", ["", "5", "5 GB", "5gib", "-1 MiB", "GiB"])
def test_what_is_no_size_is_an_error_that_says_how_to_write_one(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        units.parse_bytes(text, where="x")

    assert '"5 GiB"' in caught.value.detail


@given(st.text())
def test_no_text_ends_in_anything_but_a_number_or_a_usage_error(text: str) -> None:
    for parse in (units.parse_share, units.parse_seconds, units.parse_bytes):
        try:
            number = parse(text, where="x")
        except UsageError:
            continue
        assert number >= 0


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (27_070_000, "27.07M"),
        (14_909, "14,909"),
        (111_900, "111.9k"),
        (99_999, "99,999"),
        (99_999.6, "100,000"),
        (100_000, "100.0k"),
        (999_949, "999.9k"),
        (999_960, "1.000M"),
        (9_999_960, "10.00M"),
        (1_234_567_890, "1.235G"),
        (5e15, "5000T"),
        (0, "0"),
        (-0.4, "0"),
        (-27_070_000, f"{MINUS}27.07M"),
    ],
)
def test_count_is_shown_in_four_digits(number: float, text: str) -> None:
    assert units.show_count(number) == text


@given(st.floats(min_value=1e5, max_value=9.99e14))
def test_shown_count_is_never_off_by_more_than_its_last_digit(number: float) -> None:
    shown = units.show_count(number)
    scale = {"k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}[shown[-1]]

    assert float(shown[:-1]) * scale == pytest.approx(number, rel=0.000501)
    assert len(re.sub(r"\D", "", shown)) == 4


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.015, f"+1.50{NBSP}%"),
        (-0.003, f"{MINUS}0.30{NBSP}%"),
        (0, f"0{NBSP}%"),
        (-0.0, f"0{NBSP}%"),
        (0.000004, f"+0.0004{NBSP}%"),
        (-0.00000123, f"{MINUS}0.0001{NBSP}%"),
        (1.5, f"+150.00{NBSP}%"),
        (float("nan"), "?"),
        (float("inf"), "?"),
    ],
)
def test_change_is_shown_with_its_sign(share: float, text: str) -> None:
    assert units.show_share(share) == text


@given(st.floats(min_value=-1, max_value=10).filter(lambda share: abs(share) > 1e-10))
def test_only_no_change_at_all_is_shown_as_zero(share: float) -> None:
    assert re.search("[1-9]", units.show_share(share))


def test_limit_is_shown_without_a_sign() -> None:
    assert units.show_limit(0.01) == f"1{NBSP}%"
    assert units.show_limit(0.005) == f"0.5{NBSP}%"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.00123, f"1.23{NBSP}ms"),
        (48.1, f"48.1{NBSP}s"),
        (119.9, f"120{NBSP}s"),
        (200, f"3{NBSP}min 20{NBSP}s"),
        (0.0000456, f"45.6{NBSP}µs"),
        (1.5e-8, f"15.0{NBSP}ns"),
        (0, f"0{NBSP}s"),
        (9.9996, f"10.0{NBSP}s"),
        (0.99996, f"1.00{NBSP}s"),
        (-0.00123, f"{MINUS}1.23{NBSP}ms"),
    ],
)
def test_span_is_shown_in_three_digits(seconds: float, text: str) -> None:
    assert units.show_seconds(seconds) == text


@given(st.floats(min_value=1e-9, max_value=119))
def test_shown_span_is_never_off_by_more_than_its_last_digit(seconds: float) -> None:
    number, unit = units.show_seconds(seconds).split(NBSP)

    assert float(number) * {"s": 1, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}[unit] == pytest.approx(
        seconds, rel=0.00501
    )


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (3 * 2**29, f"1.5{NBSP}GiB"),
        (216 * 1024, f"216{NBSP}KiB"),
        (1023, f"1023{NBSP}B"),
        (1023 * 1024, f"1023{NBSP}KiB"),
        (2**41, f"2{NBSP}TiB"),
    ],
)
def test_size_is_shown_in_its_largest_unit(size: int, text: str) -> None:
    assert units.show_bytes(size) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "+0"),
        (-12.2, "−12"),
        (999.4, "+999"),
        (999.6, "+1.00k"),
        (329_412, "+329k"),
        (-87_000, "−87.0k"),
        (2.5e15, "+2500T"),
    ],
)
def test_a_difference_has_its_sign_and_three_digits(number: float, text: str) -> None:
    assert units.show_delta(number) == text
