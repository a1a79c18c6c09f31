from __future__ import annotations

import io
import sys
from pathlib import Path

import click
import pytest

from countci.cli import runner
from countci.cli.deliver import deliver_github
from countci.cli.runner import Guarded, guard, tell
from countci.reporting.github import defused
from tests.reports import EXPLAINED, FAILED
from tests.unit.reporting.github.test_outputs import read
from tests.unit.reporting.test_reporters import obeyed


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """Return what the runner gives a step; its files are there, and empty."""
    files = {"GITHUB_STEP_SUMMARY": tmp_path / "summary", "GITHUB_OUTPUT": tmp_path / "output"}
    for file in files.values():
        file.touch()
    return {
        "GITHUB_ACTIONS": "true",
        "GITHUB_SERVER_URL": "https://github.com",
        "GITHUB_REPOSITORY": "octo-org/hello",
        "GITHUB_RUN_ID": "9001",
        **{name: str(file) for name, file in files.items()},
    }


def test_a_report_reaches_summary_annotations_and_outputs(
    env: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    deliver_github(EXPLAINED, env, result=Path("out/result.json"))

    page = (tmp_path / "summary").read_text()
    assert page.startswith("### countci: fail, 1 of 3 queries does more work")
    assert "https://github.com/octo-org/hello/blob/aaaa" in page
    assert "https://github.com/octo-org/hello/actions/runs/9001" in page
    outputs = read((tmp_path / "output").read_text())
    assert (outputs["status"], outputs["report"]) == ("fail", "out/result.json")
    assert capsys.readouterr().out.startswith("::error file=src/scan.c,line=41,endLine=58,title=")


def test_what_others_wrote_into_the_summary_counts_against_its_bytes(
    env: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "summary").write_text("x" * 999_000)

    deliver_github(FAILED, env, result=Path("result.json"))

    text = (tmp_path / "summary").read_text()
    assert text.startswith("xxx")
    assert len(text.encode()) <= 1_000_000
    assert "left out here" in text


def test_a_summary_that_cant_be_written_is_a_warning_and_the_outputs_are_there(
    env: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    env["GITHUB_STEP_SUMMARY"] = str(tmp_path)

    deliver_github(FAILED, env, result=Path("result.json"))

    assert (
        "warning: GITHUB_STEP_SUMMARY can't be written: Is a directory" in capsys.readouterr().err
    )
    assert read((tmp_path / "output").read_text())["status"] == "error"


def test_nothing_is_written_where_the_runner_names_no_file(tmp_path: Path) -> None:
    deliver_github(FAILED, {}, result=Path("result.json"))

    assert not list(tmp_path.iterdir())


def test_what_is_printed_in_pieces_is_no_command_either() -> None:
    stream = io.StringIO()
    guarded = Guarded(stream, defused)

    for piece in ("#", "#", "[error]a\n", " ", ":", ":", "error::b\n", "c\r", "::x\n", "std::d\n"):
        guarded.write(piece)

    assert not obeyed(stream.getvalue())
    assert stream.getvalue() == "## [error]a\n : :error::b\nc\r: :x\nstd::d\n"


def test_our_own_commands_begin_a_line() -> None:
    stream = io.StringIO()
    guarded = Guarded(stream, defused)

    guarded.write("half a line")
    guarded.commands("::error::x\n")

    assert stream.getvalue() == "half a line\n::error::x\n"


@pytest.mark.parametrize(("actions", "printed"), [("true", ": :error::x\n"), ("", "::error::x\n")])
def test_all_that_click_prints_is_guarded_on_github_only(
    actions: str,
    printed: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    for name in ("stdout", "stderr"):
        # What the runner reads is a pipe, and pytest's own is a file.
        monkeypatch.setattr(runner, "_is_file", lambda _stream: False)
        file = Path(f"/dev/{name}").open("w", encoding="ascii")  # noqa: SIM115
        monkeypatch.setattr(sys, name, file)

    guard({"GITHUB_ACTIONS": actions})
    click.echo("::error::x")
    click.echo("::error::x", err=True)
    tell("::notice::ours\n")
    sys.stdout.flush()
    sys.stderr.flush()

    out, err = capfd.readouterr()
    assert (out, err) == (f"{printed}::notice::ours\n", printed)


def test_what_is_printed_into_a_file_stays_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (tmp_path / "report.json").open("w") as file:
        monkeypatch.setattr(sys, "stderr", sys.stderr)  # put back afterwards
        monkeypatch.setattr(sys, "stdout", file)
        guard({"GITHUB_ACTIONS": "true"})
        click.echo('"##[derive(Clone)]"')
        monkeypatch.undo()

    assert (tmp_path / "report.json").read_text() == '"##[derive(Clone)]"\n'
