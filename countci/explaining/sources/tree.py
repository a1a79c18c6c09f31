"""The sources of one side, each file read and scanned once."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable

from countci.explaining.sources.definitions import Definition, definitions
from countci.explaining.sources.functions import Function, functions
from countci.explaining.sources.language import bare, is_rust, is_source


class Tree:
    """Answers what lies where in the files of one side."""

    def __init__(self, source: Callable[[str], str | None]) -> None:
        """Read through `source`: the text of a path, None when there is no such file."""
        self._source = source
        self._lines: dict[str, list[str]] = {}
        self._code: dict[str, list[str]] = {}
        self._functions: dict[str, tuple[Function, ...]] = {}
        self._definitions: dict[str, tuple[Definition, ...]] = {}

    def lines(self, path: str) -> list[str]:
        """Return the lines of a file; none of one that isn't there."""
        if path not in self._lines:
            text = None if outside(path) else self._source(path)
            self._lines[path] = [] if text is None else text.split("\n")
        return self._lines[path]

    def line(self, path: str, number: int) -> str:
        """Return one line, from 1; empty when there is none."""
        lines = self.lines(path)
        return lines[number - 1] if 0 < number <= len(lines) else ""

    def code(self, path: str, first: int, count: int) -> list[str]:
        """Return lines without comments, strings kept."""
        if path not in self._code:
            text = "\n".join(self.lines(path))
            self._code[path] = bare(text, rust=is_rust(path), strings=True).split("\n")
        return self._code[path][first - 1 : first - 1 + count] if count else []

    def functions(self, path: str) -> tuple[Function, ...]:
        """Return the functions of a file, in order."""
        if path not in self._functions:
            text = "\n".join(self.lines(path)) if is_source(path) else ""
            self._functions[path] = functions(text, rust=is_rust(path))
        return self._functions[path]

    def function_at(self, path: str, line: int) -> Function | None:
        """Return the function that a line lies in."""
        found = self.functions(path)
        place = bisect_right(found, line, key=lambda each: each.first) - 1
        return found[place] if place >= 0 and line <= found[place].last else None

    def definitions(self, path: str) -> tuple[Definition, ...]:
        """Return what a file defines beside functions."""
        if path not in self._definitions:
            text = "\n".join(self.lines(path)) if is_source(path) else ""
            self._definitions[path] = definitions(text, self.functions(path), rust=is_rust(path))
        return self._definitions[path]


def outside(path: str) -> bool:
    """Return whether a file of a profile is none of the tree: a library's, or not known."""
    return path.startswith(("/", "?", "./", "../")) or not path
