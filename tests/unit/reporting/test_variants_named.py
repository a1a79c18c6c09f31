from __future__ import annotations

import pytest
from msgspec.structs import replace

from countci.model import Report
from countci.reporting import Look
from countci.reporting.table import REPORTERS
from tests.reports import BASE, PASSED

SAME = replace(BASE, revision=replace(BASE.revision, name="HEAD"))


def side(name: str) -> Report:
    """Return a report of two variants of one revision."""
    called = replace(SAME.revision, name=f"HEAD+{name}")
    return replace(
        PASSED,
        base=SAME,
        head=replace(SAME, variant=name, revision=called),
    )


@pytest.mark.parametrize("name", ["terminal", "markdown", "html", "json"])
def test_a_report_names_the_variant_of_a_side(name: str) -> None:
    look = Look(width=80, colour=False)

    assert "+evented" in REPORTERS[name].render(side("evented"), look)
    assert "+evented" not in REPORTERS[name].render(PASSED, look)


def test_markdown_says_above_the_fold_which_settings_are_compared() -> None:
    page = REPORTERS["markdown"].render(side("evented"), Look(width=80, colour=False))

    above, _, _ = page.partition("<details>")
    assert "Base is `bbbbbbb`, head is `bbbbbbb+evented`." in above
