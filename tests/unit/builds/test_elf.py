from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci.builds.elf import normalised

NAMES = [b"", b".text", b".comment", b".debug_info", b".note.gnu.build-id", b".shstrtab"]
CLASSES = [(1, 1), (1, 2), (2, 1), (2, 2)]


def make_elf(
    form: tuple[int, int] = (2, 1), *, kind: int = 2, contents: dict[bytes, bytes] | None = None
) -> bytes:
    """Return a file with a section for each of `NAMES`, whose header table comes last."""
    contents = contents or {}
    bits, order = form[0], {1: "<", 2: ">"}[form[1]]
    section = order + ("IIQQQQIIQQ" if bits == 2 else "10I")
    names = b"\0".join(NAMES) + b"\0"
    body = bytearray(64 if bits == 2 else 52)
    rows = [struct.pack(section, *[0] * 10)]
    for name in NAMES[1:]:
        content = contents.get(name, names if name == b".shstrtab" else name * 3)
        flags = 2 if name in {b".text", b".note.gnu.build-id"} else 0
        at = names.index(name + b"\0")
        rows.append(struct.pack(section, at, 1, flags, 0, len(body), len(content), 0, 0, 1, 0))
        body += content
    body += bytes(-len(body) % 8)
    struct.pack_into("4sBB", body, 0, b"\x7fELF", *form)
    struct.pack_into(f"{order}H", body, 16, kind)
    struct.pack_into(order + ("Q" if bits == 2 else "I"), body, 40 if bits == 2 else 32, len(body))
    counts = (struct.calcsize(section), len(rows), len(rows) - 1)
    struct.pack_into(f"{order}HHH", body, 58 if bits == 2 else 46, *counts)
    return bytes(body) + b"".join(rows)


@pytest.mark.parametrize("form", CLASSES)
@pytest.mark.parametrize("name", [b".comment", b".debug_info"])
def test_what_never_executes_does_not_count(form: tuple[int, int], name: bytes) -> None:
    plain, other = make_elf(form), make_elf(form, contents={name: b"longer than before"})

    assert plain != other
    assert normalised(plain) == normalised(other)


@pytest.mark.parametrize("form", CLASSES)
def test_the_build_id_does_not_count_but_its_size_does(form: tuple[int, int]) -> None:
    one, two, long = (
        make_elf(form, contents={b".note.gnu.build-id": value}) for value in (b"12", b"34", b"345")
    )

    assert normalised(one) == normalised(two)
    assert normalised(one) != normalised(long)


@pytest.mark.parametrize("form", CLASSES)
def test_code_counts(form: tuple[int, int]) -> None:
    assert normalised(make_elf(form)) != normalised(make_elf(form, contents={b".text": b"other"}))


@pytest.mark.parametrize("form", CLASSES)
def test_the_name_of_a_section_that_stays_counts(form: tuple[int, int]) -> None:
    names = b"\0".join(NAMES) + b"\0"
    renamed = {b".shstrtab": names.replace(b".text", b".init")}

    assert normalised(make_elf(form)) != normalised(make_elf(form, contents=renamed))


@pytest.mark.parametrize("form", CLASSES)
@given(appended=st.binary(min_size=1, max_size=100))
def test_whatever_is_appended_counts(form: tuple[int, int], appended: bytes) -> None:
    data = make_elf(form)

    assert normalised(data) != normalised(data + appended)


def test_an_object_counts_whole_since_it_does_not_run() -> None:
    data = make_elf(kind=1)

    assert normalised(data) == data


@given(data=st.binary(max_size=200))
def test_other_files_count_whole(data: bytes) -> None:
    assert normalised(b"\x7fELF" + data) == b"\x7fELF" + data
    assert normalised(data) == data


@given(end=st.integers(0, len(make_elf()) - 1))
def test_a_truncated_file_counts_whole(end: int) -> None:
    data = make_elf()[:end]

    assert normalised(data) == data


@given(form=st.sampled_from(CLASSES), at=st.integers(0), value=st.binary(min_size=1, max_size=8))
def test_a_hostile_file_never_raises_and_never_loses_its_code(
    form: tuple[int, int], at: int, value: bytes
) -> None:
    data = bytearray(make_elf(form))
    start = at % len(data)
    data[start : start + len(value)] = value[: len(data) - start]
    twin = bytes(data).replace(b".text.text.text", b".tex?.text.text")

    if twin != data and b".text.text.text" in data:
        assert normalised(bytes(data)) != normalised(twin)


def test_a_debug_section_that_claims_the_code_cuts_nothing() -> None:
    data = bytearray(make_elf())
    row = data.index(struct.pack("<II", NAMES_AT[b".debug_info"], 1), 64)
    struct.pack_into("<QQ", data, row + 24, 64, 15)

    assert normalised(bytes(data)) == data


NAMES_AT = {name: (b"\0".join(NAMES) + b"\0").index(name + b"\0") for name in NAMES[1:]}
