"""Sections and named data of an executable or library. Pure: reads what objdump printed."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from countci.counting import cleaned

_SECTION = re.compile(
    r"^ *\d+ (\S+) +([0-9a-f]+) +([0-9a-f]+) +[0-9a-f]+ +([0-9a-f]+) +2\*\*\d+ +(.*)$", re.MULTILINE
)
_SYMBOL = re.compile(
    r"^([0-9a-f]+) (.{7}) (\S+)\t([0-9a-f]+) +(?:\.(?:hidden|protected|internal) )?(.+)$",
    re.MULTILINE,
)
_NUMBERED = re.compile(r"\.[0-9]+$")
"""A compiler numbers variables of a function: `counter.0`."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the file that is loaded."""

    name: str
    address: int
    size: int
    offset: int
    """Where its bytes begin in the file."""
    filled: bool
    """It has bytes in the file."""
    code: bool


@dataclass(frozen=True, slots=True)
class DataObject:
    """A variable or table with a name."""

    name: str
    section: str
    address: int
    size: int


@dataclass(frozen=True)
class Layout:
    """What is where in a file. Made by `parse`."""

    fixed: bool
    """It is loaded at the addresses that it was linked for, so that its code holds them."""
    sections: tuple[Section, ...]
    objects: tuple[DataObject, ...]
    """By rising address."""
    functions: Mapping[int, str]
    """Cleaned name, by address."""

    @property
    def code_size(self) -> int:
        """Bytes of machine code."""
        return sum(section.size for section in self.sections if section.code)

    @cached_property
    def _addresses(self) -> list[int]:
        return [each.address for each in self.objects]

    def at(self, address: int) -> str | None:
        """Return what is there, as `table+8`; None where nothing with a name is."""
        index = bisect_right(self._addresses, address) - 1
        if index < 0:
            return None
        found = self.objects[index]
        offset = address - found.address
        return f"{found.name}+{offset:x}" if offset < found.size else None

    def section_at(self, address: int) -> Section | None:
        """Return the section that is loaded there."""
        return next(
            (each for each in self.sections if 0 <= address - each.address < each.size), None
        )


def parse(text: str) -> Layout:
    """Return the layout that `objdump -f -h -t -C -w` printed."""
    sections = tuple(
        Section(
            name=name,
            address=int(address, 16),
            size=int(size, 16),
            offset=int(offset, 16),
            filled="CONTENTS" in flags,
            code="CODE" in flags,
        )
        for name, size, address, offset, flags in _SECTION.findall(text)
        if "ALLOC" in flags
    )
    objects = (
        DataObject(_NUMBERED.sub("", cleaned(name)), section, int(address, 16), int(size, 16))
        for address, flags, section, size, name in _SYMBOL.findall(text)
        if flags.endswith("O") and int(size, 16)
    )
    return Layout(
        fixed="EXEC_P" in text.partition("Sections:")[0],
        sections=sections,
        objects=tuple(sorted(objects, key=lambda each: (each.address, each.size))),
        functions={
            int(address, 16): cleaned(name)
            for address, flags, _, _, name in _SYMBOL.findall(text)
            if flags.endswith("F")
        },
    )
