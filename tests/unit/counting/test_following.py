from __future__ import annotations

import queue
from pathlib import Path

import pytest

from countci.counting.following import following
from countci.units import Seconds

SOON = Seconds(0.001)


def test_a_file_that_grows_is_told_by_its_lines(tmp_path: Path) -> None:
    file, heard = tmp_path / "lines", queue.SimpleQueue[int]()

    with following(file, heard.put, SOON):
        file.write_text("one\n")
        assert heard.get(timeout=20) == 1
        file.write_text("one\ntwo\nthr")
        assert heard.get(timeout=20) == 2

    file.write_text("one\ntwo\nthree\n")
    with pytest.raises(queue.Empty):
        heard.get(timeout=0.05)


def test_a_block_that_ends_by_an_error_ends_it_too(tmp_path: Path) -> None:
    heard = queue.SimpleQueue[int]()

    with pytest.raises(ValueError, match="stop"), following(tmp_path / "never", heard.put, SOON):
        raise ValueError("stop")

    assert heard.empty()
