"""What stands around a Markdown report: how long it may be, and what it can link to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote

from countci.model import Hunk
from countci.reporting.clean import inside
from countci.reporting.markdown_text import code

_SHA = re.compile("[0-9a-f]{40}|[0-9a-f]{64}")
_SAFE_URL = "/:._-~"


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """Where a Markdown report is shown. Everything in it comes from whoever runs countci."""

    limit: int = 1_000_000
    """Bytes of UTF-8."""
    marker: str = ""
    """A first line that nobody sees; ready HTML."""
    repository: str = ""
    """Address: `https://github.com/octo-org/hello`; empty: nothing is linked to."""
    sha: str = ""
    """The commit whose lines are linked to; head's unless given."""
    run: str = ""
    """Address of the run that measured."""

    def lines(self, hunk: Hunk, *, head: str) -> str:
        """Return a link to `hunk` in the commit `head`; empty without a repository.

        And where commit or file would lead out of it: both may come from a stranger's report.
        """
        sha = self.sha or head
        if not (self.repository and _SHA.fullmatch(sha) and inside(hunk.file)):
            return ""
        first, last = max(1, hunk.first), max(1, hunk.first, hunk.last)
        at = f"L{first}" if last == first else f"L{first}-L{last}"
        file = quote(hunk.file, safe="/", errors="replace")
        address = f"{_address(self.repository)}/blob/{sha}/{file}#{at}"
        return f"[{code(hunk.text)}]({address})"

    def footer(self, *, head: str) -> str:
        """Return the last line: the run, and for which commit this is; empty without a run."""
        if not self.run:
            return ""
        return f"[The run]({_address(self.run)}) · updated for {code((self.sha or head)[:7])}\n"


def _address(text: str) -> str:
    return quote(text, safe=_SAFE_URL)
