from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from countci import config
from countci.cli.init import init, write
from countci.cli.proposals import propose
from countci.errors import UsageError

MAKE = "words: main.c\n\tcc -o $@ main.c\n"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "Makefile").write_text(MAKE)
    return tmp_path


def test_init_writes_both_files_and_says_what_to_type_next(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository)

    shown = CliRunner().invoke(init, catch_exceptions=False).output

    written = (repository / "countci.toml").read_bytes()
    assert config.parse_file(written, file="countci.toml").recipe.commands == ("make -j2 words",)
    assert (repository / "queries" / "first.toml").is_file()
    assert "countci count --config countci.toml" in shown


def test_init_in_a_folder_of_the_repository_writes_at_its_top(repository: Path) -> None:
    below = repository / "src"
    below.mkdir()

    lines = write(below, force=False)

    assert "wrote ../countci.toml" in lines
    assert (repository / "countci.toml").is_file()


@pytest.mark.parametrize("folder", ["node_modules", "build", ".hidden", "a/b/c/d/e"])
def test_what_others_wrote_is_not_taken_for_the_project(repository: Path, folder: str) -> None:
    (repository / "Makefile").unlink()
    (repository / "CMakeLists.txt").write_text("")
    other = repository / folder
    other.mkdir(parents=True)
    (other / "CMakeLists.txt").write_text("add_executable(other x.c)")

    assert "found CMake, no program" in write(repository, force=False)


@pytest.mark.parametrize("name", ["countci.toml", "queries/first.toml"])
def test_nothing_is_overwritten_unless_forced(repository: Path, name: str) -> None:
    path = repository / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("mine")

    with pytest.raises(UsageError, match="is there already"):
        write(repository, force=False)

    assert path.read_text() == "mine"
    assert list(repository.rglob("*.toml")) == [path]
    write(repository, force=True)
    assert path.read_text() != "mine"


def test_a_second_configuration_is_refused_even_by_force(repository: Path) -> None:
    (repository / "pyproject.toml").write_text("[tool.countci]\nbuild = []\n")

    with pytest.raises(UsageError, match="configures countci already"):
        write(repository, force=True)


def test_outside_of_a_repository_there_is_nothing_to_configure(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not in a git repository"):
        write(tmp_path, force=False)


def test_a_python_script_at_the_top_is_found() -> None:
    proposal = propose({"wc.py": b"import argparse\nif __name__ == '__main__':\n    main()\n"})

    assert proposal.command == "python3 wc.py --help"
    assert proposal.sure
