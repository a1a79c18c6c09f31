"""What objdump printed of one small program, once position-independent and once not."""

from __future__ import annotations

from pathlib import Path

from countci.explaining.binaries.layout import Layout, parse

_DATA = Path(__file__).parents[3] / "data" / "explaining" / "binaries"


def text(name: str) -> str:
    return (_DATA / f"{name}.txt").read_text()


def layout(name: str = "layout") -> Layout:
    return parse(text(name))


def image(parts: dict[int, bytes]) -> bytes:
    """Return a file with these bytes at these places."""
    data = bytearray(0x4000)
    for at, part in parts.items():
        data[at : at + len(part)] = part
    return bytes(data)
