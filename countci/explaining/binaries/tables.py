"""A digest of the bytes of each named data object. Pure."""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping

from countci.explaining.binaries.layout import DataObject, Layout
from countci.explaining.binaries.pointers import WORD, offsets

_SECTIONS = (".rodata", ".data", ".lrodata", ".ldata")
_OF_THE_LINKER = {"_IO_stdin_used", "__dso_handle", "DW.ref.__gxx_personality_v0"}


def digests(data: bytes, layout: Layout, pointers: Mapping[int, str]) -> dict[str, str]:
    """Return the digest of each named data object, by its name.

    Args:
        data: the whole file.
        layout: of the file.
        pointers: what each pointer in it points to, by the pointer's address.
    """
    places = sorted(pointers)
    found: defaultdict[str, list[bytes]] = defaultdict(list)
    for each in layout.objects:
        if each.section.startswith(_SECTIONS) and each.name not in _OF_THE_LINKER:
            content = bytearray(_content(each, data, layout))
            inside = places[
                bisect_left(places, each.address) : bisect_left(places, each.address + each.size)
            ]
            for place in reversed(inside):  # a name is longer than its word
                at = place - each.address
                content[at : at + WORD] = pointers[place].encode(errors="replace").ljust(WORD)
            found[each.name].append(bytes(content))
    return {
        name: hashlib.sha256(b"\0\0".join(sorted(parts))).hexdigest()[:16]
        for name, parts in found.items()
    }


def _content(each: DataObject, data: bytes, layout: Layout) -> bytes:
    pointed = offsets(each, data, layout)
    if pointed is not None:
        return pointed
    section = layout.section_at(each.address)
    if section is None or not section.filled:
        return b""
    start = section.offset + each.address - section.address
    return data[start : start + each.size]
