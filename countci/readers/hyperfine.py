"""hyperfine, with `--export-json /dev/stdout`: a part for each command."""

from __future__ import annotations

from countci.errors import MeasureError
from countci.readers.documents import document, items, number, optional, text
from countci.readers.reader import Number, Reader, metrics, united

_TOLD = ("mean", "median", "min", "max", "user", "system")


def _read(said: str) -> dict[str, Number]:
    parts: dict[str, dict[str, Number]] = {}
    for each in items(document(said), "results"):
        name = text(each, "command")
        codes = optional(each, "exit_codes")
        # With --ignore-failure: how fast it fails is not what is asked.
        if not isinstance(codes, list) or any(code != 0 for code in codes):
            raise MeasureError(f"{name} failed", detail=f"it says: exit_codes: {codes}"[:200])
        if name in parts:
            raise MeasureError(f"several commands are {name}: add --command-name")
        parts[name] = {kind: number(each, kind) for kind in _TOLD}
    return united(parts)


HYPERFINE = Reader(
    metrics=metrics(**dict.fromkeys(_TOLD, ("seconds", "lower"))),
    usual=("median",),
    read=_read,
    parts=True,
)
