"""Foreign text inside HTML, and the elements that the report is made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from countci.reporting.clean import one_line


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One cell of a table."""

    html: str
    """Ready: foreign text in it is escaped."""
    kind: str = ""
    """A class of the style: `number`, `word fail`."""


def text(foreign: str) -> str:
    """Return `foreign` as text: none of it is a tag, an attribute's end or a control character."""
    return escape(one_line(foreign))


def code(foreign: str) -> str:
    """Return `foreign` as code; nothing without any."""
    return f"<code>{text(foreign)}</code>" if foreign else ""


def block(lines: Iterable[str]) -> str:
    """Return lines of a program's output, or a command; nothing without any."""
    shown = "\n".join(map(text, lines))
    return f"<pre>{shown}</pre>\n" if shown else ""


def table(titles: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """Return a table; columns in which nothing stands are left out, and so is an empty table.

    Args:
        titles: ready HTML, one a column.
        rows: as many cells each.
    """
    body = list(rows)
    if not body:
        return ""
    kept = [at for at in range(len(titles)) if any(row[at].html for row in body)]
    head = "".join(f"<th{_kind(body[0][at].kind)}>{titles[at]}</th>" for at in kept)
    lines = [f"<tr>{head}</tr>"]
    lines += [
        f"<tr>{''.join(f'<td{_kind(row[at].kind)}>{row[at].html}</td>' for at in kept)}</tr>"
        for row in body
    ]
    return '<div class="wide"><table>\n{}\n</table></div>\n'.format("\n".join(lines))


def items(texts: Iterable[str]) -> str:
    """Return ready HTML as a list; nothing without any."""
    lines = "".join(f"<li>{each}</li>\n" for each in texts)
    return f"<ul>\n{lines}</ul>\n" if lines else ""


def section(title: str, content: str) -> str:
    """Return `content` under its title; nothing without any."""
    return f"<section>\n<h2>{title}</h2>\n{content}</section>\n" if content else ""


def folded(title: str, content: str) -> str:
    """Return `content` behind a line to click on; nothing without any."""
    return f"<details>\n<summary>{title}</summary>\n{content}</details>\n" if content else ""


def _kind(kind: str) -> str:
    return f' class="{kind}"' if kind else ""
