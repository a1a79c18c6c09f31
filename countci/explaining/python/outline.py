"""What a Python file defines, and where."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Span: TypeAlias = tuple[int, int]
"""First and last line."""

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """Lines of one file. Empty for a file that this Python can't read."""

    functions: tuple[Span, ...] = ()
    """Decorators included; functions within functions are not named apart."""
    texts: tuple[Span, ...] = ()
    """Of documentation: nothing of it is executed by an ask."""
    imports: tuple[Span, ...] = ()
    definitions: tuple[tuple[Span, tuple[str, ...]], ...] = ()
    """Names that a module or a class gives a value, and where."""


def outline(text: str | None) -> Outline:
    """Return what a file defines."""
    if text is None:
        return Outline()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about the project's own slips
            tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return Outline()
    outer = list(_outer(tree.body))
    return Outline(
        functions=tuple(_span(each) for each in outer if isinstance(each, _Function)),
        texts=tuple(_texts(tree)),
        imports=tuple(
            _span(each) for each in ast.walk(tree) if isinstance(each, ast.Import | ast.ImportFrom)
        ),
        definitions=tuple((_span(each), names) for each in outer if (names := _names(each))),
    )


def inside(line: int, spans: Sequence[Span]) -> bool:
    """Return whether a line lies in one of them."""
    return any(first <= line <= last for first, last in spans)


def _outer(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements that run on import: those of blocks and classes too."""
    for each in body:
        yield each
        if isinstance(each, _Function):
            continue
        for name in ("body", "orelse", "finalbody"):
            yield from _outer(getattr(each, name, ()))
        for handler in getattr(each, "handlers", ()):
            yield from _outer(handler.body)


def _span(node: ast.stmt) -> Span:
    decorators = getattr(node, "decorator_list", ())
    first = min([node.lineno, *(each.lineno for each in decorators)])
    return first, node.end_lineno or node.lineno


def _texts(tree: ast.Module) -> Iterator[Span]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | _Function) and node.body:
            first = node.body[0]
            is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
            if is_text and isinstance(first.value.value, str):  # type: ignore[attr-defined]
                yield _span(first)


def _names(statement: ast.stmt) -> tuple[str, ...]:
    match statement:
        case ast.Assign(targets=targets):
            pass
        case ast.AnnAssign(target=target, value=ast.expr()) | ast.AugAssign(target=target):
            targets = [target]
        case _:
            return ()
    return tuple(
        node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)
    )
