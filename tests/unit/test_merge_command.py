"""`countci merge`: what it shows and where it leaves what was merged."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from countci.cli.merge import merge
from countci.cli.report import report as shown
from countci.model import Merged, Report
from countci.reporting import REPORTERS, Look, read, words
from countci.units import Seconds
from tests.reports import FAILED, PASSED
from tests.unit.test_merging import cut

LOOK = Look(width=100, colour=False)


@pytest.fixture
def shards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    monkeypatch.chdir(tmp_path)
    parts = cut(FAILED, [1, 2, 1, 2, 2, 2, 1, 1], 2)
    parts[1] = replace(parts[1], seconds=Seconds(100.0))
    files = [tmp_path / f"{number}.json" for number in (1, 2)]
    for file, part in zip(files, parts, strict=True):
        file.write_text(REPORTERS["json"].render(part, LOOK))
    return files


def merged(shards: list[Path]) -> Result:
    return CliRunner().invoke(merge, ["--expect", "2", *map(str, shards)], standalone_mode=False)


def kept(folder: Path) -> Report:
    (file,) = folder.glob(".countci/results/*/result.json")
    return read(file.read_bytes(), name=str(file))


def test_the_merged_report_is_kept_as_that_of_a_run(shards: list[Path], tmp_path: Path) -> None:
    ended = merged(shards)

    assert ended.return_value == 3, ended.output
    assert kept(tmp_path).shard is None
    assert len(kept(tmp_path).verdicts) == len(FAILED.verdicts)
    again = CliRunner().invoke(shown, [], standalone_mode=False)
    assert "merged from 2 shards" in " ".join(again.output.split())


def test_where_nothing_can_be_kept_the_verdict_is_the_same(
    shards: list[Path], tmp_path: Path
) -> None:
    (tmp_path / ".countci").write_text("no folder\n")

    ended = merged(shards)

    assert ended.return_value == 3
    assert "kept nowhere" in ended.output


@pytest.mark.parametrize("name", ["terminal", "markdown", "html"])
def test_the_footer_says_how_many_shards_it_was_and_how_long(name: str) -> None:
    report = replace(PASSED, seconds=Seconds(60.0), merged=Merged(shards=4, seconds=Seconds(200.0)))

    text = REPORTERS[name].render(report, LOOK).replace("\N{NO-BREAK SPACE}", " ")

    assert "merged from 4 shards: 60.0 s the longest, 3 min 20 s together" in " ".join(text.split())


def test_one_run_says_how_long_it_took() -> None:
    report = replace(PASSED, seconds=Seconds(2.0))

    assert words.took(report).replace("\N{NO-BREAK SPACE}", " ") == "2.00 s in all"
