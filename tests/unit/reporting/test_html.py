from __future__ import annotations

import re
from html.parser import HTMLParser

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from countci.model import Report, Status
from countci.reporting import Look
from countci.reporting.html import Html
from countci.reporting.html_plot import plot
from tests.reports import EXPLAINED, FAILED, IDENTICAL, PASSED, REPORTS, UNSETTLED, report
from tests.unit.reporting.test_reporters import HOSTILE, hostile

VOID = {"meta", "br", "path", "circle"}


class Page(HTMLParser):
    """Tags and text of a page; every element must be closed in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, tuple[str, ...]]] = []
        self.text: list[str] = []
        self.open: list[str] = []
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, tuple(name for name, _ in attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text.append(data)


def rendered(shown: Report) -> str:
    return Html().render(shown, Look(width=80, colour=False))


@pytest.mark.parametrize("name", REPORTS)
def test_a_page_needs_nothing_else_and_runs_nothing(name: str) -> None:
    page = rendered(REPORTS[name])

    assert not re.search(r"<script|<link|<img|src=|href=|url\(|@import|//", page)
    assert "default-src 'none'" in page
    Page(page)


def test_what_needs_a_look_stands_above_what_is_folded() -> None:
    above, _, folded = rendered(FAILED).partition("<details>")

    assert "1 of 8 queries was not measured" in above
    assert "bank: branch 17 has no field 4" in above
    assert "bank/found" not in above
    assert "bank/found" in folded


def test_a_report_that_passes_is_its_heading_and_what_is_folded() -> None:
    titles = re.findall(r"<h2>(.*?)</h2>", rendered(IDENTICAL))

    assert titles == ["Good to know"]


def test_words_carry_the_meaning_and_colour_only_repeats_it() -> None:
    text = " ".join(Page(rendered(FAILED)).text)

    assert re.findall(r"\b(fail|unsettled|improved|gone|new)\b", text)
    assert Page(rendered(FAILED)).text.count("unsettled") == 2


def test_an_explanation_names_hunk_line_causes_and_functions() -> None:
    page = rendered(EXPLAINED)

    assert "<b>caused by src/scan.c:41-58 (scan_next)</b>" in page
    assert "<pre>char *word = strndup(at, length);</pre>" in page
    assert "malloc and free themselves" in page
    assert "Functions and lines whose own cost moved (2)" in page


def test_a_page_says_how_to_repeat_the_run() -> None:
    assert "<pre>countci compare main HEAD</pre>" in rendered(PASSED)


def test_a_report_without_queries_is_a_page() -> None:
    assert "no query was measured" in rendered(report(Status.ERROR, ()))


@pytest.mark.parametrize("text", [each for each in HOSTILE.values() if each.strip()])
def test_a_hostile_name_is_no_tag_and_no_attribute(text: str) -> None:
    assert Page(rendered(hostile(text))).tags == Page(rendered(hostile("plain"))).tags


@settings(max_examples=30)
@given(st.text(st.characters(codec="utf-8"), min_size=1).filter(str.strip))
def test_any_name_is_text(text: str) -> None:
    assert set(Page(rendered(hostile(text))).tags) == set(Page(rendered(hostile("plain"))).tags)


def test_a_drawing_shows_change_interval_limit_and_each_pair() -> None:
    change = UNSETTLED.verdicts[1].changes[1]

    found = plot(change, UNSETTLED.comparisons[1])

    assert found.count('class="pair"') == 2
    assert found.count('class="limit"') == 2
    assert 'class="span" d="M66.5 9H' in found


def test_a_drawing_of_a_count_has_no_pairs_and_a_proof_no_drawing() -> None:
    assert 'class="pair"' not in plot(UNSETTLED.verdicts[1].changes[0], UNSETTLED.comparisons[1])
    assert plot(IDENTICAL.verdicts[0].changes[0], IDENTICAL.comparisons[0]) == ""


@pytest.mark.parametrize(("delta", "at"), [(100.0, "136.0"), (-0.9, "4.0"), (0.0, "70.0")])
def test_what_lies_beyond_the_drawing_stands_at_its_edge(delta: float, at: str) -> None:
    change = msgspec.structs.replace(FAILED.verdicts[0].changes[0], delta=delta)

    assert f'class="at" cx="{at}"' in plot(change, None)
