"""Units: what a number is, how people write it, and how they read it."""

from __future__ import annotations

import math
import re
from typing import NewType

from countci.errors import UsageError

Seconds = NewType("Seconds", float)
Instructions = NewType("Instructions", int)

_MINUS = "\N{MINUS SIGN}"
_THIN = "\N{NO-BREAK SPACE}"
_DURATION = {"ms": 1e-3, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
_LONGEST = 7 * 24 * 3600.0  # the kernel's timeouts overflow at 24 days
_SIZE = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40}
_SCALE = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))


def parse_share(text: str | float, *, where: str) -> float:
    """Return a relative limit as a fraction: `1%`, `+2.5 %`, `0.025` and 0.025 are 0.01, 0.025, ...

    Raises:
        UsageError: it is not a number of that form, or not between 0 and 100 %.
    """
    found = re.fullmatch(r"\s*\+?([0-9]+(?:\.[0-9]*)?|\.[0-9]+)\s*(%?)\s*", str(text))
    if not found:
        raise UsageError(
            f"{text!r} is not a limit",
            where=where,
            detail='write it as "1%", "2.5%" or 0.025 (with a point, not a comma)',
        )
    share = float(found[1]) / (100 if found[2] else 1)
    if share > 1 or (share == 1 and not found[2]):
        raise UsageError(
            f"a limit of {text} is 100 % or more",
            where=where,
            detail='a number without % is a fraction: write "1%" or 0.01 for one percent',
        )
    return share


def parse_seconds(text: str | float, *, where: str) -> Seconds:
    """Return a time span in seconds: `60s`, `500ms`, `5m`, `1h`, or a bare number of seconds.

    Raises:
        UsageError: it is not a span of that form, not above zero, or more than a week.
    """
    found = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([a-z]*)\s*", str(text))
    if not found or (found[2] or "s") not in _DURATION or not float(found[1]):
        raise UsageError(
            f"{text!r} is not a time span", where=where, detail='write it as "60s", "500ms" or "5m"'
        )
    seconds = float(found[1]) * _DURATION[found[2] or "s"]
    if seconds > _LONGEST:
        raise UsageError(f"{text} is more than a week", where=where)
    return Seconds(seconds)


def parse_bytes(text: str, *, where: str) -> int:
    """Return a size in bytes: `5 GiB`, `500MiB`.

    Raises:
        UsageError: it is not a size of that form.
    """
    found = re.fullmatch(r"\s*([0-9]{1,15}(?:\.[0-9]+)?)\s*([KMGT]iB|B)\s*", text)
    if not found:
        raise UsageError(f"{text!r} is not a size", where=where, detail='write it as "5 GiB"')
    return int(float(found[1]) * _SIZE[found[2]])


def show_count(number: float) -> str:
    """Return a count as people read it, four digits: `27.07M`, `14,909`, `111.9k`."""
    if abs(number) < 1e5:
        return f"{round(number):,}".replace("-", _MINUS)
    for scale, letter in _SCALE:
        if abs(number) >= scale * 0.99995:
            return f"{_rounded(number / scale, 4)}{letter}"
    return f"{number:,.0f}"


def show_value(number: float, unit: str) -> str:
    """Return a number of a metric as people read it, by what one of it is.

    Args:
        number: in `unit`.
        unit: `seconds per ask`, `bytes`, `MB/s`, ...; what follows `per ask` is left out.
    """
    one = unit.removesuffix(" per ask")
    if one == "seconds":
        return show_seconds(number)
    if one == "bytes":
        return show_bytes(round(number))
    plain = one in {"instructions", "system calls", "allocations", ""}
    return show_count(number) if plain else f"{_measured(number)}{_THIN}{one}"


def show_delta(number: float) -> str:
    """Return a difference of counts with its sign, three digits: `+329k`, `−12`."""
    if abs(number) < 999.5:
        return f"{round(number):+,}".replace("-", _MINUS)
    for scale, letter in _SCALE:
        if abs(number) >= scale * 0.9995:
            sign = "+" if number > 0 else _MINUS
            return f"{sign}{_rounded(abs(number) / scale, 3)}{letter}"
    raise AssertionError("the last scale takes everything")


def show_share(share: float, *, digits: int = 2) -> str:
    """Return a relative change with its sign: `+1.50 %`, `−0.3 %`.

    Exactly 0 is `0 %`, and nothing else is: a tiny change shows its first digit (`+0.0004 %`).
    """
    if share == 0:
        return f"0{_THIN}%"
    if not math.isfinite(share):
        return "?"
    percent = share * 100
    while abs(percent) < 0.5 * 10.0**-digits and digits < 9:
        digits += 1
    return f"{percent:+.{digits}f}{_THIN}%".replace("-", _MINUS)


def show_limit(share: float) -> str:
    """Return a limit without a sign: `1 %`, `0.5 %`."""
    return f"{share * 100:g}{_THIN}%"


def show_seconds(seconds: float) -> str:
    """Return a span as people read it, three digits: `1.23 ms`, `48.1 s`, `3 min 20 s`."""
    if seconds >= 120:
        return f"{int(seconds // 60)}{_THIN}min {int(seconds % 60)}{_THIN}s"
    if seconds == 0:
        return f"0{_THIN}s"
    for scale, letter in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")):
        if abs(seconds) >= scale * 0.9995 or letter == "ns":
            return f"{_rounded(seconds / scale, 3)}{_THIN}{letter}"
    raise AssertionError("the last unit takes everything")


def show_bytes(size: int) -> str:
    """Return a size as people read it: `1.5 GiB`, `216 KiB`."""
    for letter in ("TiB", "GiB", "MiB", "KiB"):
        if size >= _SIZE[letter]:
            scaled = size / _SIZE[letter]
            form = ".3g" if scaled < 999.5 else ".0f"  # not 1.02e+03
            return f"{scaled:{form}}{_THIN}{letter}"
    return f"{size}{_THIN}B"


def _measured(number: float) -> str:
    """Return a measured number: four digits, no more than are told apart."""
    if abs(number) >= 1e4 or number == int(number):
        return show_count(number)
    return _rounded(number, 4)


def _rounded(number: float, digits: int) -> str:
    # 9.9996 has one digit before the point, but what is shown of it has two.
    exponent = int(f"{number:.{digits - 1}e}".partition("e")[2])
    return f"{number:.{max(0, digits - 1 - max(0, exponent))}f}".replace("-", _MINUS)
