"""What import-linter doesn't see of the shape of the package."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import countci

TOP = Path(countci.__file__).parent


def test_no_file_imports_the_init_of_its_own_folders() -> None:
    wrong = []
    for path in TOP.rglob("*.py"):
        file = path.relative_to(TOP.parent)
        own = {".".join(folder.parts) for folder in file.parents} - {"", "countci"}
        tree = ast.parse(path.read_bytes())
        asked = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        if file.name != "__init__.py" and own & asked:
            wrong.append(f"{file}: {own & asked}")

    assert wrong == []


def test_a_comparison_starts_without_what_few_comparisons_need() -> None:
    look = "import sys, countci.cli.compare; print(*sys.modules, sep='\\n')"
    loaded = subprocess.run(
        [sys.executable, "-c", look], capture_output=True, text=True, check=True
    )

    few = ("explaining", "builds.python", "history", "loads", "memory", "network", "github")
    wrong = [
        name
        for name in loaded.stdout.split()
        if name.startswith(tuple(f"countci.{each}" for each in few))
        or name in {"git", "rich.console", "http.client"}
    ]
    assert wrong == []
