from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from countci.builds.normal import digest

from .test_elf import make_elf


def digest_of(tmp_path: Path, name: str, data: bytes) -> str:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return digest(str(path))


@pytest.mark.parametrize("length", [0, 1, 2**20 - 1, 2**20, 2**20 + 1, 3 * 2**20])
def test_a_plain_file_counts_whole_whatever_its_length(tmp_path: Path, length: int) -> None:
    data = b"a" * length

    assert digest_of(tmp_path, "file", data) == hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize("length", [4, 2**20, 3 * 2**20])
def test_a_program_counts_without_its_comment_whatever_its_length(
    tmp_path: Path, length: int
) -> None:
    one, two, three = (
        make_elf(contents={b".text": b"t" * length, b".comment": comment})
        for comment in (b"gcc 12", b"gcc 13", b"gcc")
    )

    assert digest_of(tmp_path, "a", one) == digest_of(tmp_path, "b", two)
    assert digest_of(tmp_path, "a", one) == digest_of(tmp_path, "b", three)
    assert digest_of(tmp_path, "a", one) != digest_of(tmp_path, "b", one + b"\0")


def test_a_compiled_module_counts_by_its_kind_when_its_source_is_there(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text("")
    name = "__pycache__/m.cpython-311.opt-1.pyc"
    head = b"\xa7\r\r\n\0\0\0\0"
    first = digest_of(tmp_path, name, head + b"time 1")

    assert digest_of(tmp_path, name, head + b"time 2") == first
    assert digest_of(tmp_path, name, b"\xa7\r\r\n\1\0\0\0time 1") != first


@pytest.mark.parametrize("name", ["__pycache__/gone.cpython-311.pyc", "m.pyc"])
def test_a_compiled_module_counts_whole_without_its_source(tmp_path: Path, name: str) -> None:
    (tmp_path / "m.py").write_text("")

    assert digest_of(tmp_path, name, b"12345678a") != digest_of(tmp_path, name, b"12345678b")


def test_the_times_of_an_installer_do_not_count(tmp_path: Path) -> None:
    name = "a-1.dist-info/uv_cache.json"

    assert digest_of(tmp_path, name, b"1") == digest_of(tmp_path, name, b"2")
    assert digest_of(tmp_path, "uv_cache.json", b"1") != digest_of(tmp_path, "uv_cache.json", b"2")


def test_a_record_counts_by_its_names(tmp_path: Path) -> None:
    name = "a-1.dist-info/RECORD"
    first = digest_of(tmp_path, name, b"a.py,sha256=1,2\nb.py,sha256=2,3\n")

    assert digest_of(tmp_path, name, b"b.py,sha256=9,9\r\na.py,,\r\n") == first
    assert digest_of(tmp_path, name, b"a.py,sha256=1,2\n") != first
    assert digest_of(tmp_path, name, b"\xff") == hashlib.sha256(b"\xff").hexdigest()
