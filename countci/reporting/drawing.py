"""What all SVG pictures are made of: one style, readable on light and dark pages."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from countci.reporting.clean import one_line

WIDTH = 880
# Every rule begins with the picture's own class: inside a page, a style holds for all of it.
_STYLE = """
.drawing { max-width: 100%; height: auto }
.drawing text { font: 12px system-ui, "DejaVu Sans", sans-serif; fill: #1f2328 }
.drawing .back { fill: #ffffff } .drawing .dim { fill: #59636e }
.drawing .name { font-weight: 600 } .drawing .small { font-size: 11px }
.drawing .line { fill: none; stroke: #0969da; stroke-width: 2 } .drawing .dot { fill: #0969da }
.drawing .other { fill: none; stroke: #59636e; stroke-width: 2 }
.drawing .otherdot { fill: #59636e } .drawing .otherspread { fill: #59636e; opacity: .18 }
.drawing .spread { fill: #0969da; opacity: .18 }
.drawing .axis { stroke: #d1d9e0 } .drawing .gap { stroke: #9a6700; stroke-width: 2 }
.drawing .worse { fill: #cf222e } .drawing .better { fill: #1a7f37 }
@media (prefers-color-scheme: dark) {
.drawing text { fill: #f0f6fc } .drawing .back { fill: #0d1117 } .drawing .dim { fill: #9198a1 }
.drawing .line { stroke: #4493f8 } .drawing .dot { fill: #4493f8 }
.drawing .other { stroke: #9198a1 } .drawing .otherdot { fill: #9198a1 }
.drawing .otherspread { fill: #9198a1 } .drawing .spread { fill: #4493f8 }
.drawing .axis { stroke: #3d444d } .drawing .gap { stroke: #d29922 }
.drawing .worse { fill: #ff7b72 } .drawing .better { fill: #3fb950 }
}"""


def document(title: str, said: str, height: float, marks: Iterable[str]) -> str:
    """Return a picture that needs no other file.

    Args:
        title: its heading.
        said: a sentence below it, which readers of screens get too.
        height: in pixels; the width is always the same.
        marks: ready elements.
    """
    size = f'viewBox="0 0 {WIDTH} {height:g}" width="{WIDTH}" height="{height:g}"'
    named = f'role="img" aria-label="{text(title)}: {text(said)}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="drawing" {size} {named}>',
        f"<title>{text(title)}</title>",
        f"<desc>{text(said)}</desc>",
        f"<style>{_STYLE}\n</style>",
        f'<rect class="back" width="{WIDTH}" height="{height:g}"/>',
        f'<text class="name" x="20" y="26" font-size="15">{text(title)}</text>',
        f'<text class="dim" x="20" y="46">{text(said)}</text>',
        *marks,
    ]
    return "\n".join([*lines, "</svg>", ""])


def group(top: float, marks: Iterable[str]) -> list[str]:
    """Return the marks moved down by `top` pixels."""
    return [f'<g transform="translate(0 {top:g})">', *marks, "</g>"]


def dot(x: float, y: float, radius: float, style: str, said: str) -> str:
    """Return a dot that tells what it is to whoever points at it."""
    title = f"<title>{text(said)}</title>"
    return f'<circle class="{style}" cx="{x:.1f}" cy="{y:.1f}" r="{radius}">{title}</circle>'


def label(x: float, y: float, words: str, style: str, *, anchor: str = "start") -> str:
    """Return words at a place."""
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text class="{style}" {place}>{text(words)}</text>'


def text(foreign: str) -> str:
    """Return foreign text as XML can hold it."""
    # Two characters are no XML, however they are written.
    return escape(one_line(foreign).translate({0xFFFE: " ", 0xFFFF: " "}))
