"""Closed loops of other programs, as they are called and read."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Literal

import pytest
from msgspec.structs import replace

from countci.errors import MeasureError
from countci.loads import Trial, measure
from countci.model import Load, Ready, Run, ServerWork
from countci.process import Command
from countci.units import Seconds
from tests.ports import free_port

pytestmark = pytest.mark.slow

SERVER = Path(__file__).parents[2] / "docs/examples/servers/pages.py"
Tool = Literal["ab", "h2load", "wrk"]


def run(folder: Path, load: Load, path: str | None = None) -> Run:
    port = free_port(folder.name)
    work = ServerWork(
        start=("x",),
        ready=Ready(tcp=str(port)),
        within=Seconds(20.0),
        grace=Seconds(5.0),
        load=replace(load, url=f"http://127.0.0.1:{port}/"),
    )
    command = Command(
        argv=(sys.executable, "-S", str(SERVER), str(port)),
        env={"PATH": os.environ["PATH"] if path is None else path, "EVENT": "1"},
        cwd=folder,
    )
    return measure(command, Trial(name=folder.name, work=work, scratch=folder), seed=0)


@pytest.mark.parametrize(
    ("tool", "requests", "seconds"),
    [("ab", 300, 0), ("ab", 0, 1), ("h2load", 300, 0), ("h2load", 0, 1), ("wrk", 0, 1)],
)
def test_a_tool_tells_its_throughput(
    tool: Tool, requests: int, seconds: int, tmp_path: Path
) -> None:
    if shutil.which(tool) is None:
        pytest.skip(f"there is no {tool}")
    load = Load(
        url="", tool=tool, concurrency=4, requests=requests, seconds=Seconds(float(seconds))
    )

    found = run(tmp_path, load)

    assert found.values["throughput"] > 10
    assert set(found.values) == {"throughput"}


def test_a_tool_that_is_not_there_is_an_error_with_its_package(tmp_path: Path) -> None:
    load = Load(url="", tool="h2load", concurrency=4, requests=10)

    with pytest.raises(MeasureError, match="there is no h2load") as caught:
        run(tmp_path, load, path="/nowhere")

    assert caught.value.detail == "apt-get install nghttp2-client"
