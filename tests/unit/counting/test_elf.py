"""The first bytes of programs."""

import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci.counting import elf


def program(kind: int = 3, loader: bytes = b"/lib/ld.so\0") -> bytes:
    """Return the head of a 64-bit little-endian ELF file with one program header, PT_INTERP."""
    ident = b"\x7fELF\x02\x01\x01".ljust(16, b"\0")
    header = ident + struct.pack("<HHIQQQIHHHHHH", kind, 62, 1, 0, 64, 0, 0, 64, 56, 1, 64, 0, 0)
    return header + struct.pack("<IIQQQQQQ", 3, 4, 120, 0, 0, len(loader), 0, 1) + loader


def test_the_dynamic_loader_is_found() -> None:
    assert elf.interpreter(program()) == "/lib/ld.so"


@pytest.mark.parametrize(("kind", "expected"), [(1, False), (2, True), (3, True), (4, False)])
def test_only_what_runs_is_normalised(kind: int, expected: bool) -> None:  # noqa: FBT001
    assert elf.is_normalised(program(kind)) is expected


@given(st.integers(0, 130), st.binary(max_size=80))
def test_hostile_heads_never_raise(length: int, added: bytes) -> None:
    damaged = program()[:length] + added
    elf.is_normalised(damaged)
    elf.interpreter(damaged)


def test_what_is_no_file_has_no_head(tmp_path: Path) -> None:
    assert elf.start(str(tmp_path)) == b""
    assert elf.start(str(tmp_path / "none")) == b""
    assert elf.start("a\0b") == b""
