"""Real programs through the whole job, held against a count by hand. See docs/real-runs.md."""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from countci.model import INSTRUCTIONS, Report
from countci.reporting import json_file
from tests.real.bank import Repository
from tests.real.by_hand import per_ask

UV = str(Path(sys.executable).with_name("uv"))
DEMO = Path(__file__).parents[2] / "demo"
CONFIG = "[python]\n"
SUITE = """
[query.word]
command = ".venv/bin/python {queries}/escape.py Jack {n}"
"""
SCRIPT = """
import sys
from markupsafe import escape
done = ""
for _ in range(int(sys.argv[2])):
    done = escape(sys.argv[1])
print(done)
"""

pytestmark = pytest.mark.slow


def compared(repository: Repository) -> Report:
    """Return the report of the last two commits, counted."""
    ended = repository.countci("compare", "HEAD~1", "HEAD", "--no-time", "--format", "json")
    assert ended.code in {0, 1}, ended.err
    return json_file.read(ended.out.encode(), name="standard output")


def counted(report: Report) -> dict[tuple[str, str], float]:
    """Return instructions per ask, by query and side."""
    found = {}
    for each in report.comparisons:
        assert each.base is not None
        assert each.head is not None
        for side, measurement in (("base", each.base), ("head", each.head)):
            found[each.query.name, side] = float(measurement.counts[INSTRUCTIONS.name].per_ask)
    return found


def test_demo_is_counted_as_valgrind_alone_counts_it(tmp_path: Path) -> None:
    repository = Repository(top=tmp_path / "demo", cache=tmp_path / "cache")
    subprocess.run([DEMO / "make-repository.sh", repository.top], check=True)
    text = tmp_path / "text"
    words = ["awk", "-v", "words=20000", "-v", f"out={text}", "-f", "queries/text.awk"]
    subprocess.run(words, cwd=repository.top, check=True)

    found = counted(compared(repository))

    for side, name in (("base", "HEAD~1"), ("head", "HEAD")):
        tree = tmp_path / side
        repository.git("worktree", "add", "--quiet", str(tree), name)
        subprocess.run(["make", "--silent"], cwd=tree, check=True)
        command = ("build/words", "--repeat", "{n}", "count", str(text))
        by_hand = float(per_ask(command, tree, (3, 9)))
        assert found["count", side] == pytest.approx(by_hand, rel=1e-4)


def package(version: str, folder: Path) -> Path:
    """Return MarkupSafe's sources of that version, as the package index has them.

    Fails, and never skips, where the index can't be reached: this is the test on code that
    nobody here has written.
    """
    options = ("--quiet", "--no-deps", "--no-binary", "markupsafe", "--dest", str(folder))
    done = subprocess.run(
        [sys.executable, "-m", "pip", "download", *options, f"MarkupSafe=={version}"],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        pytest.fail(f"pip can't download the sources of MarkupSafe {version}:\n{done.stderr}")
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as file:
        file.extractall(folder, filter="data")
    (tree,) = (path for path in folder.iterdir() if path.is_dir())
    return tree


def releases(folder: Path, *versions: str) -> Repository:
    """Return a repository with one commit a release, each with the same queries."""
    repository = Repository(top=folder / "markupsafe", cache=folder / "cache")
    repository.top.mkdir()
    repository.git("init", "--quiet", "--initial-branch=main")
    repository.git("config", "user.email", "releases@example.invalid")
    repository.git("config", "user.name", "Releases")
    for version in versions:
        (folder / version).mkdir()
        tree = package(version, folder / version)
        repository.git("rm", "-r", "-q", "--ignore-unmatch", ".")
        subprocess.run(["cp", "-R", f"{tree}/.", str(repository.top)], check=True)
        repository.write(
            countci_dot_toml=CONFIG, queries__escape_dot_toml=SUITE, queries__escape_dot_py=SCRIPT
        )
        repository.commit(version)
    return repository


def test_two_releases_of_a_c_extension_differ_as_valgrind_alone_counts_them(tmp_path: Path) -> None:
    repository = releases(tmp_path, "2.1.5", "3.0.2")

    report = compared(repository)

    found = counted(report)
    deltas = {each.query: each.changes[0].delta for each in report.verdicts}
    assert deltas["escape/word"] is not None
    assert deltas["escape/word"] < -0.1, json.dumps(deltas)  # 3.0 made `escape` a Python function
    script = repository.top / "queries" / "escape.py"
    for side, version in (("base", "2.1.5"), ("head", "3.0.2")):
        tree = tmp_path / version
        (archive,) = map(str, tree.glob("*.tar.gz"))
        python = str(tree / "venv/bin/python")
        subprocess.run([UV, "venv", "-q", "-p", sys.executable, str(tree / "venv")], check=True)
        options = ("--compile-bytecode", "--no-binary", "markupsafe")
        subprocess.run([UV, "pip", "install", "-q", "-p", python, *options, archive], check=True)
        command = (python, str(script), "Jack", "{n}")
        by_hand = float(per_ask(command, tmp_path, (1000, 4000)))
        assert found["word", side] == pytest.approx(by_hand, rel=0.02)
