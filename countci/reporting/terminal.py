"""The report for people at a terminal: notices, tables, reasons, the verdict in the last line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from countci.model import Report, Side
from countci.reporting.clean import one_line
from countci.reporting.layout import Line, Part, cut, wrap
from countci.reporting.reasons import Paragraph, notices, reasons
from countci.reporting.reporter import Look
from countci.reporting.rows import rows, worst
from countci.reporting.terminal_explained import explanations
from countci.reporting.terminal_table import STYLES, tables
from countci.reporting.typed import typed
from countci.reporting.words import counter, exit_words, named, took, verdict
from countci.units import show_seconds

_NARROWEST = 40


class Terminal:
    """Renders for a terminal, or for a text file when there is no colour."""

    suffix = "txt"

    def render(self, report: Report, look: Look) -> str:
        """Return `report` in lines of at most `look.width` columns."""
        width = max(_NARROWEST, look.width)
        said = reasons(report)
        lines = [
            _side("base", report.base, width),
            _side("head", report.head, width),
            *_notices(report, width),
            *tables(report, width=width),
            *explanations(report.explanations, width, alone=len(report.verdicts) == 1),
            *_section("Errors", [each for each in said if each.bad], width),
            *_section("Remarks", [each for each in said if not each.bad], width),
            (),
            *_measured(report, width),
            (),
            *_verdict(report, width),
        ]
        return _painted(lines, look) if look.colour else _plain(lines)


def _side(name: str, side: Side, width: int) -> Line:
    revision = side.revision
    called = "" if revision.sha.startswith(revision.name) else f"{one_line(revision.name)}  "
    rest = cut(f"{called}{one_line(revision.subject)}", width - 15)
    return (Part(text=f"{name}  {revision.sha[:7]}  "), Part(text=rest, style="dim"))


def _notices(report: Report, width: int) -> list[Line]:
    lines: list[Line] = []
    for notice in notices(report):
        lines += _styled(wrap(notice, width, first="! ", later="  "), "yellow")
    return [(), *lines] if lines else []


def _section(title: str, paragraphs: Sequence[Paragraph], width: int) -> list[Line]:
    lines: list[Line] = [(), (Part(text=title, style="bold"),)]
    for paragraph in paragraphs:
        lines += _paragraph(paragraph, width)
    return lines if paragraphs else []


def _paragraph(paragraph: Paragraph, width: int) -> list[Line]:
    names = f"  {named(paragraph.queries)}"
    first, *rest = wrap(f"{names}: {paragraph.text}".strip(), width, first="  ", later=" " * 6)
    # The names are styled only where they fit into the first line whole.
    bold = len(names) if first.startswith(names) else 0
    lines: list[Line] = [
        (
            Part(text=first[:bold], style="bold red" if paragraph.bad else ""),
            Part(text=first[bold:]),
        ),
        *_styled(rest, ""),
    ]
    if paragraph.where:
        lines += _styled(wrap(paragraph.where, width, first=" " * 6, later=" " * 8), "")
    for text in paragraph.detail:
        lines += _styled(wrap(text, width, first="      | ", later="      |   "), "dim")
    return lines


def _measured(report: Report, width: int) -> list[Line]:
    facts = [
        f"{name} built in {show_seconds(side.build_seconds)}"
        for name, side in (("base", report.base), ("head", report.head))
        if side.build and not side.build_cached
    ]
    facts += [counted] if (counted := counter(report)) else []
    facts.append(took(report))
    lines = _styled(wrap("; ".join(facts), width), "dim")
    if report.command:
        lines += _styled(typed(one_line(report.command), width, first="again: ", later="  "), "dim")
    return lines


def _verdict(report: Report, width: int) -> list[Line]:
    failed = ", ".join(f"{row.query} {row.change} {row.metric}" for row in worst(rows(report)))
    lines = _styled(wrap(f"worst: {failed}", width, later="  "), "") if failed else []
    status = report.status.value
    first, *rest = wrap(f"{status}: {verdict(report)} ({exit_words(report)})", width)
    head = Part(text=status, style=STYLES[report.status])
    return [*lines, (head, Part(text=first.removeprefix(status))), *_styled(rest, "")]


def _styled(texts: Iterable[str], style: str) -> list[Line]:
    return [(Part(text=text, style=style),) for text in texts]


def _plain(lines: Iterable[Line]) -> str:
    return "".join("".join(part.text for part in line).rstrip() + "\n" for line in lines)


def _painted(lines: Iterable[Line], look: Look) -> str:
    import io

    from rich.console import Console
    from rich.text import Text

    console = Console(
        file=io.StringIO(),
        width=look.width,
        color_system="standard",  # the user's own sixteen colours, on any terminal
        force_terminal=True,
        _environ={},
    )
    with console.capture() as capture:
        for line in lines:
            text = Text.assemble(*((part.text, part.style) for part in line))
            text.rstrip()
            console.print(text, soft_wrap=True)
    return capture.get()
