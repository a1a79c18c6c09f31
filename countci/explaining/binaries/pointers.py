"""What tables of pointers point to, whatever its address. Pure."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Mapping

from countci.counting import cleaned
from countci.explaining.binaries.layout import DataObject, Layout

WORD = 8
"""Bytes of an address; files of 32 bits are read as if they had no pointers."""
_RECORD = re.compile(r"^([0-9a-f]{16}) R_\S+ +(\S.*)$", re.MULTILINE)
_RELATIVE = re.compile(r"\*ABS\*(?:\+0x([0-9a-f]+))?")
_LONGEST = 4096


def pointers(relocations: str, data: bytes, layout: Layout) -> Mapping[int, str]:
    """Return what each pointer in the data of a file points to, by the pointer's address.

    Args:
        relocations: what `objdump -R -C` printed: pointers that the loader fills in.
        data: the whole file.
        layout: of the file. In one that is loaded at a fixed address, pointers are numbers
            like any other: those that are the address of something are taken for them.
    """
    found = {}
    for address, value in _RECORD.findall(relocations):
        relative = _RELATIVE.fullmatch(value)
        target = int(relative[1] or "0", 16) if relative else None
        known = cleaned(value) if target is None else pointed_to(target, data, layout)
        found[int(address, 16)] = known
    if layout.fixed:
        for address, target in _words(data, layout):
            if layout.section_at(target):
                found.setdefault(address, pointed_to(target, data, layout))
    return found


def offsets(each: DataObject, data: bytes, layout: Layout) -> bytes | None:
    """Return what a table of offsets points to; None for any other object.

    Source:
        LLVM, RelLookupTableConverter: 32 bits each, from the start of the table.
    """
    section = layout.section_at(each.address)
    if not each.name.startswith("reltable.") or section is None or each.size % 4:
        return None
    start = section.offset + each.address - section.address
    targets = struct.iter_unpack("<i", data[start : start + each.size])
    return repr([pointed_to(each.address + offset, data, layout) for (offset,) in targets]).encode(
        errors="replace"
    )


def pointed_to(address: int, data: bytes, layout: Layout) -> str:
    """Return the name, or the text, that is at an address."""
    known = layout.functions.get(address) or layout.at(address)
    if known:
        return known
    section = layout.section_at(address)
    if section is None or not section.filled or not section.name.startswith(".rodata"):
        return "address"
    start = section.offset + address - section.address
    return repr(data[start : start + _LONGEST].partition(b"\0")[0])


def _words(data: bytes, layout: Layout) -> Iterator[tuple[int, int]]:
    """Yield every aligned word of the named data, with its address."""
    for each in layout.objects:
        section = layout.section_at(each.address)
        if section is None or not section.filled or section.code or each.address % WORD:
            continue
        start = section.offset + each.address - section.address
        words = data[start : start + each.size // WORD * WORD]
        for index, (word,) in enumerate(struct.iter_unpack("<Q", words)):
            yield each.address + WORD * index, word
