from __future__ import annotations

import re
from html import unescape

import cmarkgfm  # type: ignore[import-untyped]
import msgspec
import pytest
from cmarkgfm.cmark import Options  # type: ignore[import-untyped]
from hypothesis import given
from hypothesis import strategies as st

from countci.model import Report, Status
from countci.reporting import Look
from countci.reporting.markdown import Markdown
from countci.reporting.markdown_text import block, code, sentence, table
from tests.reports import FAILED, IDENTICAL, REPORTS, UNSETTLED, report, verdict, work
from tests.unit.reporting.test_reporters import HOSTILE, hostile

OURS = {"h3", "p", "code", "pre", "strong", "ul", "li", "details", "summary"}
OURS |= {"table", "thead", "tbody", "tr", "th", "td"}
TEXT = st.text(st.characters(codec="utf-8"), max_size=60) | st.sampled_from(list(HOSTILE.values()))


def html(markdown: str) -> str:
    """Return what GitHub's own parser makes of it; HTML in it stays HTML."""
    return str(
        cmarkgfm.github_flavored_markdown_to_html(markdown, options=Options.CMARK_OPT_UNSAFE)
    )


def rendered(shown: Report) -> str:
    return Markdown().render(shown, Look(width=80, colour=False))


def tags(page: str) -> set[str]:
    return set(re.findall(r"</?([a-z0-9]+)", page))


def bare(page: str) -> str:
    """Return the text that stands outside of code."""
    without = re.sub(r"<code[^>]*>.*?</code>", "", page, flags=re.DOTALL)
    return unescape(re.sub(r"<[^>]+>", "", without))


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_name_is_no_markup_no_ping_and_no_link(text: str) -> None:
    page = html(rendered(hostile(text)))

    assert tags(page) <= OURS
    assert not re.search(r"[@#]\w|GH-\d|://|www\.", bare(page))


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_name_makes_no_row_and_no_cell_of_its_own(text: str) -> None:
    plain = html(rendered(hostile("plain")))
    assert html(rendered(hostile(text))).count("<td") == plain.count("<td")


@given(TEXT)
def test_a_code_span_shows_any_name_in_one_cell(text: str) -> None:
    page = html(table([("a", ":--"), ("b", "--:")], [(code(text), "1")]))

    assert page.count("<td") == 2
    assert tags(page) <= OURS


@given(TEXT)
def test_a_sentence_of_any_text_is_no_markup(text: str) -> None:
    page = html(f"- {code('a')}: {sentence(text)}\n")

    assert tags(page) <= OURS
    assert not re.search(r"@\w|://", bare(page))


@given(st.lists(TEXT, min_size=1))
def test_a_block_ends_where_it_ends(lines: list[str]) -> None:
    page = html(block(lines) + "\nafter\n")

    assert page.endswith("<p>after</p>\n")
    assert page.count("<pre") == 1


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("exit status 2, twice (−1.5 %)", "exit status 2, twice (−1.5 %)"),
        ("in src/scan.c: no field", "in src/scan.c: no field"),
        ("scan_next, *p", "`scan_next`, `*p`"),
        ("ask @mona about #1.", "ask `@mona` about `#1`."),
        ("since 0b5fa1d at https://x.y", "since `0b5fa1d` at `https://x.y`"),
        ("<b>bold</b>", "`<b>bold</b>`"),
    ],
)
def test_words_that_mean_something_to_github_are_code(text: str, shown: str) -> None:
    assert sentence(text) == shown


def test_a_very_long_name_is_cut_in_its_middle() -> None:
    assert code("a" * 300) == f"`{'a' * 60}…{'a' * 60}`"


def test_errors_stand_above_everything_but_the_heading() -> None:
    heading, _, first, *_ = rendered(FAILED).splitlines()

    assert heading.startswith("### countci: error, 1 of 8 queries was not measured")
    assert first == "`bank/per_branch`: killed by signal 11 (SIGSEGV) on head"


def test_rows_that_need_no_look_are_folded() -> None:
    above, _, folded = rendered(FAILED).partition("<details>")

    assert "| `bank/field` | instructions |" in above
    assert "| `bank/found`" not in above
    assert "| `bank/found`" in folded


def test_the_interval_stands_beside_an_unsettled_change() -> None:
    found = rendered(UNSETTLED).replace("\N{NO-BREAK SPACE}", " ")

    assert "| +3.6 % (−0.4 to +7.1) | 3 % | unsettled |" in found


def test_a_report_that_passes_has_no_table_above_the_fold() -> None:
    assert "|" not in rendered(IDENTICAL).partition("<details>")[0]


def test_many_failures_are_cut_by_whole_rows_and_counted() -> None:
    failing = [
        verdict(f"q{number}", work(100, 102 + number, Status.FAIL), status=Status.FAIL)
        for number in range(25)
    ]
    shown = msgspec.structs.replace(
        FAILED, verdicts=tuple(failing), comparisons=(), status=Status.FAIL
    )
    above = rendered(shown).partition("<details>")[0]

    assert above.count("| fail |") == 20
    assert above.index("bank/q24") < above.index("bank/q5")
    assert "5 more such rows are in the table below." in above


@pytest.mark.parametrize("name", REPORTS)
def test_what_is_folded_is_closed_and_parsed_as_markdown(name: str) -> None:
    page = html(rendered(REPORTS[name]))

    folds = 3 if REPORTS[name].explanations else 2
    assert page.count("<details>") == page.count("</details>") == folds
    assert "| :--" not in page


def test_a_report_without_queries_is_no_error() -> None:
    assert "no query was measured" in rendered(report(Status.ERROR, ()))
