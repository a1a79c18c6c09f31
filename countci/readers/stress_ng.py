"""stress-ng, as `--metrics-brief --yaml /dev/stdout` writes it: a part for each stressor."""

from __future__ import annotations

import re

from countci.errors import MeasureError
from countci.readers.patterns import lines, missing, number
from countci.readers.reader import Number, Reader, metrics, united

_FIELDS = {
    "bogo-ops-per-second-real-time": "rate",
    "bogo-ops-per-second-usr-sys-time": "cpu_rate",
}


def _read(text: str) -> dict[str, Number]:
    said = lines(text)
    if "..." not in said:
        raise missing("end of the YAML (`...`)", said)
    parts: dict[str, dict[str, Number]] = {}
    part: dict[str, Number] = {}
    for line in said:
        key, _, value = line.removeprefix("- ").partition(": ")
        if key == "stressor":
            if value in parts:
                raise MeasureError(f"several stressors are {value}", detail=f"it says: {line}")
            part = parts[value] = {}
        elif re.fullmatch(r"fail(ed|ures)", key) and value != "0":
            raise MeasureError(f"{value} failures", detail=f"it says: {line}")
        elif key in _FIELDS:
            part[_FIELDS[key]] = number(value, line)
    if not parts:
        raise missing("stressor (which --metrics-brief adds)", said)
    return united(parts)


STRESS_NG = Reader(
    metrics=metrics(rate=("bogo-ops/s", "higher"), cpu_rate=("bogo-ops/s", "higher")),
    usual=("rate",),
    read=_read,
    parts=True,
)
