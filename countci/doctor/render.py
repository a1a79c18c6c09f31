"""An examination as text."""

from __future__ import annotations

import textwrap

from countci.doctor.examine import Examination
from countci.doctor.finding import Finding, Level


def render(examination: Examination, *, width: int) -> str:
    """Return what `countci doctor` prints, in lines of at most `width` where words allow."""
    parts = [_fingerprint(examination), _findings(examination.findings, width)]
    return "\n\n".join([*filter(None, parts), _sentence(examination)]) + "\n"


def _fingerprint(examination: Examination) -> str:
    found = examination.fingerprint
    if found is None:
        return ""
    rows = {
        "fingerprint": found.digest,
        "valgrind": found.valgrind,
        "libc": found.libc,
        "machine": found.machine,
        "cpu as counted": found.cpu,
    }
    return "\n".join(f"{name:<16}{value}" for name, value in rows.items())


def _findings(findings: tuple[Finding, ...], width: int) -> str:
    return "\n".join(line for finding in findings for line in _lines(finding, width))


def _lines(finding: Finding, width: int) -> list[str]:
    head = f"{finding.level.value:<9}{finding.name:<12}"
    indent = " " * len(head)
    lines = _wrap(finding.text, head, indent, width)
    if finding.remedy:
        for line in finding.remedy.splitlines():
            lines += _wrap(line, f"{indent}→ ", f"{indent}  ", width)
    return lines


def _wrap(text: str, first: str, rest: str, width: int) -> list[str]:
    # A path or a command must be copied whole.
    return textwrap.wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _sentence(examination: Examination) -> str:
    levels = [finding.level for finding in examination.findings]
    problems, notes = levels.count(Level.PROBLEM), levels.count(Level.NOTE)
    noted = f"{notes} note{'' if notes == 1 else 's'}"
    if problems:
        return f"{problems} problem{'' if problems == 1 else 's'}, {noted}: nothing can be measured"
    return f"nothing stops a measurement; {noted}"
