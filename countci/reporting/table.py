"""Every reporter, by the name that a user types. To add one: write it, list it."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import PurePath

from countci.errors import UsageError
from countci.reporting.code_quality import CodeQuality
from countci.reporting.html import Html
from countci.reporting.json_file import Json
from countci.reporting.junit import Junit
from countci.reporting.markdown import Markdown
from countci.reporting.plots import Svg
from countci.reporting.reporter import Reporter
from countci.reporting.terminal import Terminal

REPORTERS: Mapping[str, Reporter] = {
    "terminal": Terminal(),
    "markdown": Markdown(),
    "json": Json(),
    "html": Html(),
    "junit": Junit(),
    "codeclimate": CodeQuality(),
    "svg": Svg(),
}


def reporter_for(name: str | PurePath) -> Reporter:
    """Return the reporter called `name`, or the one whose suffix the path `name` has.

    Raises:
        UsageError: there is none.
    """
    by_name = REPORTERS.get(str(name))
    if by_name is not None:
        return by_name
    # The longest suffix first, since .codeclimate.json ends in .json too.
    for reporter in sorted(REPORTERS.values(), key=lambda each: -len(each.suffix)):
        if PurePath(name).name.endswith(f".{reporter.suffix}"):
            return reporter
    near = get_close_matches(str(name), REPORTERS, n=1)
    hint = f"did you mean {near[0]}? " if near else ""
    suffixes = ", ".join(f".{reporter.suffix}" for reporter in REPORTERS.values())
    raise UsageError(
        "no such report format",
        where=str(name),
        detail=f"{hint}formats are {', '.join(REPORTERS)}; files end in {suffixes}",
    )
