from __future__ import annotations

import pytest

from countci.errors import UsageError
from countci.model import INSTRUCTIONS, Limit, Metric
from countci.reading.limits import parse_limit

BYTES = Metric(name="private_dirty_slope", unit="bytes", exact=False)


@pytest.mark.parametrize(
    ("text", "limit", "shown"),
    [
        ("1%", Limit(share=0.01), "1\N{NO-BREAK SPACE}%"),
        (0.02, Limit(share=0.02), "2\N{NO-BREAK SPACE}%"),
        ("1.5x", Limit(share=0.5, form="ratio"), "1.5x"),
        ("1x", Limit(form="ratio"), "1x"),
        ("216 KiB", Limit(form="amount", amount=221_184.0), "216\N{NO-BREAK SPACE}KiB"),
        ("constant", Limit(form="constant"), "constant"),
    ],
)
def test_a_limit_is_read_and_shown_as_it_is_written(
    text: str | float, limit: Limit, shown: str
) -> None:
    assert parse_limit(text, where="here") == limit
    assert limit.text(BYTES) == shown


@pytest.mark.parametrize("text", ["0.9x", "x", "-1%", "216 KB", "steady", "150%", "1,5x"])
def test_what_is_no_limit_is_an_error(text: str) -> None:
    with pytest.raises(UsageError, match="here"):
        parse_limit(text, where="here")


def test_an_amount_of_a_count_has_no_unit() -> None:
    assert Limit(form="amount", amount=12_000.0).text(INSTRUCTIONS) == "12,000"
