"""What of an executable or shared object can matter when it runs.

Two builds of one source may differ in debug information, symbols, a compiler's comment and
the build id, none of which is executed. A deny-list: everything else counts, also bytes
outside of every section (an appended archive).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from itertools import pairwise

MAGIC = b"\x7fELF"
_CUT_PREFIXES = (b".debug", b".zdebug")
_CUT = {
    *(b".comment", b".symtab", b".strtab", b".shstrtab"),
    *(b".gnu_debuglink", b".gnu_debugaltlink"),
}
_BUILD_ID = b".note.gnu.build-id"
_LONGEST_NAME = 64
_LARGEST_GAP = 64  # bytes; sections are aligned, and the padding before one is cut with it
_EXECUTABLE_OR_SHARED = (2, 3)
_WITHOUT_CONTENT = (0, 8)  # SHT_NULL, SHT_NOBITS
_ALLOCATED = 2


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where one class of files keeps what, as offsets in bytes and formats of `struct`."""

    table_at: int
    table_format: str
    counts_at: int
    section_format: str
    header_size: int


_LAYOUTS = {1: _Layout(32, "I", 46, "6I16x", 52), 2: _Layout(40, "Q", 58, "IIQQQQ24x", 64)}
_ORDERS = {1: "<", 2: ">"}


@dataclass(frozen=True, slots=True)
class _Section:
    name: bytes
    kind: int
    flags: int
    address: int
    start: int
    size: int

    @property
    def end(self) -> int:
        return self.start + self.size

    @property
    def is_cut(self) -> bool:
        named = self.name in _CUT or self.name.startswith(_CUT_PREFIXES)
        return named and not self.flags & _ALLOCATED


def normalised(data: bytes) -> bytes:
    """Return what counts of an ELF file; `data` itself when it is another kind of file, or odd.

    Source:
        System V ABI, chapter 4 (object files); both classes and byte orders. Objects and
        archives stay as they are: they don't run.
    """
    try:
        return _without_the_rest(data)
    except (struct.error, ValueError):
        return data


def _without_the_rest(data: bytes) -> bytes:
    if data[:4] != MAGIC or len(data) < 52:
        return data
    layout, order = _LAYOUTS.get(data[4]), _ORDERS.get(data[5])
    if layout is None or order is None:
        return data
    (kind,) = struct.unpack_from(f"{order}H", data, 16)
    if kind not in _EXECUTABLE_OR_SHARED:
        return data
    (table,) = struct.unpack_from(order + layout.table_format, data, layout.table_at)
    entry, count, names = struct.unpack_from(f"{order}HHH", data, layout.counts_at)
    if not table or not count or entry != struct.calcsize(order + layout.section_format):
        return data
    table_span = (table, table + entry * count)
    sections = _sections(data, table_span, order + layout.section_format, names)
    _check_spans([(0, layout.header_size), table_span, *((s.start, s.end) for s in sections)], data)

    out = bytearray(data)
    struct.pack_into(order + layout.table_format, out, layout.table_at, 0)
    struct.pack_into(f"{order}HH", out, layout.counts_at + 2, 0, 0)
    for section in sections:
        if section.name == _BUILD_ID:
            out[section.start : section.end] = bytes(section.size)
    kept = [section for section in sections if not section.is_cut]
    last = max((section.end for section in kept if section.flags & _ALLOCATED), default=0)
    cuts = sorted([table_span, *((s.start, s.end) for s in sections if s.is_cut)])
    # The table of sections goes, since it holds offsets; what it says of the kept ones stays.
    table_of_kept = [(s.name, s.kind, s.flags, s.address, s.size) for s in kept]
    return _outside(bytes(out), cuts, last) + repr(table_of_kept).encode()


def _sections(data: bytes, table: tuple[int, int], form: str, names: int) -> list[_Section]:
    if table[1] > len(data):
        raise ValueError("the table of sections ends after the file")
    rows = list(struct.iter_unpack(form, data[table[0] : table[1]]))
    if names >= len(rows):
        raise ValueError("no table of names")
    base = rows[names][4]
    return [
        _Section(_name(data, base + name), kind, flags, address, start, size)
        for name, kind, flags, address, start, size in rows
        if kind not in _WITHOUT_CONTENT
    ]


def _name(data: bytes, start: int) -> bytes:
    # Bounded: a hostile file could ask us to search the whole of it for each section.
    return data[start : start + _LONGEST_NAME].partition(b"\0")[0]


def _check_spans(spans: list[tuple[int, int]], data: bytes) -> None:
    """Raise ValueError where a cut could take away what is kept."""
    filled = sorted(span for span in spans if span[0] < span[1])
    if filled[-1][1] > len(data) or any(end > start for (_, end), (start, _) in pairwise(filled)):
        raise ValueError("sections overlap, or end after the file")


def _outside(data: bytes, cuts: list[tuple[int, int]], last: int) -> bytes:
    """Return `data` without `cuts` and without the padding between them; the tail always stays.

    Args:
        data: the file.
        cuts: spans in their order.
        last: where the last part that is loaded ends; padding before it stays.
    """
    pieces, position = [], 0
    for start, end in cuts:
        loaded = data[position : max(position, min(start, last))]
        gap = data[position + len(loaded) : start]
        is_padding = len(gap) < _LARGEST_GAP and not any(gap)
        pieces.append(loaded if is_padding else loaded + gap)
        position = max(position, end)
    return b"".join([*pieces, data[position:]])
