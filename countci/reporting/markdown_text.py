"""Foreign text inside Markdown: shown as it is, never taken for markup, a ping or a link."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from countci.reporting.clean import one_line

_LONGEST = 120
_HARMLESS = re.compile(
    r"[^\W_]*(?:[,.;:%()/=!?'+−–→…\N{NO-BREAK SPACE}-]+[^\W_]+)*[,.;:%)!?…→\N{NO-BREAK SPACE}]*"
)
_LINKED = re.compile(r"www\.|//|GH-\d|\b[0-9a-f]{7,40}\b", re.IGNORECASE)


def code(text: str) -> str:
    """Return a code span that shows `text`, cut in its middle where it is very long.

    Nothing inside a code span pings anybody or links anywhere. Its fence is longer than any
    run of backticks inside.
    """
    shown = _cut(one_line(text)) or " "
    fence = "`" * (_longest_run(shown) + 1)
    edge = " " if shown[0] in "` " or shown[-1] in "` " else ""
    return f"{fence}{edge}{shown}{edge}{fence}"


def sentence(text: str) -> str:
    """Return `text` with each word that could mean something to GitHub in a code span."""
    return " ".join(_word(word) for word in one_line(text).split(" "))


def block(lines: Iterable[str], language: str = "text") -> str:
    """Return a fenced block of `lines`, its fence longer than any run of backticks inside."""
    content = "\n".join(map(one_line, lines))
    fence = "`" * max(3, _longest_run(content) + 1)
    return f"{fence}{language}\n{content}\n{fence}\n"


def table(titles: Sequence[tuple[str, str]], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; each title comes with its alignment, `:--` or `--:`.

    Args:
        titles: title and alignment of each column.
        rows: ready Markdown a cell; a `|` in it is escaped here, inside code spans too.
    """
    head = [[title for title, _ in titles], [alignment for _, alignment in titles]]
    body = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in [*head, *body])


def folded(summary: str, content: str) -> str:
    """Return `content` behind a line to click on; `summary` is never foreign text."""
    return f"<details>\n<summary>{summary}</summary>\n\n{content}\n</details>\n"


def _word(word: str) -> str:
    if _HARMLESS.fullmatch(word) and not _LINKED.search(word):
        return word
    core = word.rstrip(",.;:")
    return code(core) + word[len(core) :] if core else word


def _cut(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    half = _LONGEST // 2
    return f"{text[:half]}…{text[-half:]}"


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)
