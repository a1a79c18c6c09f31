"""What import-linter doesn't see of the shape of the package."""

from __future__ import annotations

import ast
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
