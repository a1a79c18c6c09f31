"""A digest of each function's machine code, whatever its address. Pure: reads objdump's text."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

from countci.counting import cleaned
from countci.explaining.binaries.layout import Layout

_TITLE = re.compile(r"[0-9a-f]{4,} <(.+)>:\s*$")
_RELATIVE = re.compile(r"(?:-?0x[0-9a-f]+)?\(%rip\)(.*?)\s*# ([0-9a-f]+)(?: <(.+)>)?$")
_TARGET = re.compile(r"\s([0-9a-f]+) <(.+?)(?:\+0x[0-9a-f]+)?>$")
_ABSOLUTE = re.compile(r"0x([0-9a-f]{5,16})\b")
_NOTHING = re.compile(r"(?:data16 |cs )*nop[wl]?\b|xchg +%ax,%ax$|xchg %ax,%ax$")
_BLANKS = re.compile(r"\s+")


def digests(
    lines: Iterable[str], layout: Layout, wanted: Callable[[str], bool] = lambda _name: True
) -> dict[str, str]:
    """Return the digest of each function's code, by its cleaned name: equal ones do the same.

    Parts of a function that were moved away (`.cold`) count as the function. Left out of a
    digest are addresses, what merely fills gaps, and where data without a name lies. A jump
    goes to an instruction by its number: gcc 14 aligns loops with fillers inside a function,
    as many as its place needs.

    Args:
        lines: what `objdump -d -C --no-show-raw-insn` printed.
        layout: of the same file.
        wanted: whether a function, by its cleaned name, is of interest.
    """
    found: defaultdict[str, list[str]] = defaultdict(list)
    for title, body in _functions(lines, wanted):
        kept = [(address, text) for address, text in body if not _NOTHING.match(text)]
        code = _Code(title, [address for address, _ in kept], layout)
        found[cleaned(title)].append(_digest("\n".join(code.normal(text) for _, text in kept)))
    return {name: _digest("\n".join(sorted(parts))) for name, parts in found.items()}


def _functions(
    lines: Iterable[str], wanted: Callable[[str], bool]
) -> Iterator[tuple[str, list[tuple[int, str]]]]:
    """Yield each wanted function's symbol and instructions, with their addresses."""
    title, body = "", list[tuple[int, str]]()
    for line in lines:
        if line.startswith(" "):
            if title and "\t" in line:
                address, _, text = line.rstrip().partition("\t")
                body.append((int(address.strip(" :"), 16), text))
        elif found := _TITLE.match(line):
            if title:
                yield title, body
            name = found[1]
            title = name if not name.endswith("@plt") and wanted(cleaned(name)) else ""
            body = []
    if title:
        yield title, body


class _Code:
    """One function, whose instructions are made independent of where it lies."""

    def __init__(self, title: str, addresses: Sequence[int], layout: Layout) -> None:
        self._title = title
        self._addresses = addresses
        self._layout = layout

    def normal(self, instruction: str) -> str:
        """Return an instruction without addresses."""
        if found := _RELATIVE.search(instruction):
            what = self._data(int(found[2], 16), found[3] or "")
            instruction = f"{instruction[: found.start()]}(%rip){found[1]} {what}"
        elif found := _TARGET.search(instruction):
            what = self._target(int(found[1], 16), found[2])
            instruction = f"{instruction[: found.start()]} {what}"
        elif self._layout.fixed:
            instruction = _ABSOLUTE.sub(self._absolute, instruction)
        return _BLANKS.sub(" ", instruction).strip()

    def _data(self, address: int, symbol: str) -> str:
        """Return the name of what is read; a pointer to another library's has its name."""
        known = self._layout.at(address)
        if known is None and "@" in symbol and "+0x" not in symbol:
            known = cleaned(symbol)
        return f"<{known}>" if known else ""

    def _target(self, address: int, symbol: str) -> str:
        if symbol == self._title:
            return f".{bisect_left(self._addresses, address)}"
        return f"<{cleaned(symbol)}>"

    def _absolute(self, found: re.Match[str]) -> str:
        address = int(found[1], 16)
        if self._layout.section_at(address) is None:
            return found[0]
        return f"<{self._layout.at(address) or 'address'}>"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()[:16]
