"""docs/ci.md: what it shows is what countci writes, and what it says to type can be typed."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import click
import pytest

from countci.cli.compare import compare
from countci.reporting import REPORTERS, Look
from countci.reporting.github import annotation_lines
from tests.reports import EXPLAINED

PAGE = Path(__file__).parents[3].joinpath("docs/ci.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
SCRIPTS = [text for language, text in BLOCKS if language == "sh"]


def rendered(name: str) -> str:
    return REPORTERS[name].render(EXPLAINED, Look(width=80, colour=False))


def test_the_summary_it_shows_is_the_one_that_is_written() -> None:
    quoted = "".join(f"> {line}".rstrip() + "\n" for line in rendered("markdown").splitlines())

    assert quoted in PAGE


@pytest.mark.parametrize(("language", "name"), [("xml", "junit"), ("json", "codeclimate")])
def test_the_files_it_shows_are_those_that_are_written(language: str, name: str) -> None:
    assert (language, rendered(name)) in BLOCKS


def test_the_annotation_it_shows_is_the_one_that_the_runner_reads() -> None:
    assert ("", annotation_lines(EXPLAINED)) in BLOCKS


def test_each_script_is_one_that_a_shell_can_read() -> None:
    assert len(SCRIPTS) >= 3
    for script in SCRIPTS:
        subprocess.run(["sh", "-n"], input=script, text=True, check=True)


def test_each_option_is_one_that_compare_has() -> None:
    known = {name for option in compare.params for name in option.opts}
    lines = [line for _, text in BLOCKS for line in text.splitlines() if "countci compare" in line]

    used = {word for line in lines for word in re.findall(r"--[a-z-]+", line)}
    assert used
    assert used <= known
    assert isinstance(compare, click.Command)


def test_every_format_is_in_its_table() -> None:
    for name, reporter in REPORTERS.items():
        assert f"| `.{reporter.suffix}` | `{name}` |" in PAGE
