from __future__ import annotations

import re

import msgspec
import pytest

from countci.model import Hunk, Report, Status
from countci.reporting.github import (
    COMMENT_LIMIT,
    SUMMARY_LIMIT,
    Frame,
    attempt_of,
    comment,
    mark,
    summary,
)
from tests.reports import EXPLAINED, FAILED, PASSED, WHY, report, verdict, work
from tests.unit.reporting.test_markdown import OURS, bare, html, tags
from tests.unit.reporting.test_reporters import HOSTILE, hostile

FRAME = Frame(
    repository="https://github.com/octo-org/hello",
    run="https://github.com/octo-org/hello/actions/runs/9001",
)


def many(count: int, name: str = "q") -> Report:
    """Return a report in which `count` queries fail."""
    failing = tuple(
        verdict(f"{name}{number}", work(1000, 1020, Status.FAIL), status=Status.FAIL)
        for number in range(count)
    )
    return msgspec.structs.replace(report(Status.FAIL, ()), verdicts=failing)


def test_a_comment_begins_with_its_mark_and_ends_with_the_run() -> None:
    first, second, *_, last = comment(FAILED, FRAME, key="default", attempt="9001.2").splitlines()

    assert first == "<!-- countci:v1 default 9001.2 -->"
    assert first.startswith(mark("default"))
    assert second.startswith("### countci: error, ")
    assert last == (
        "[The run](https://github.com/octo-org/hello/actions/runs/9001) · updated for `aaaaaaa`"
    )


@pytest.mark.parametrize("key", ["", "a b", "a--b", "-->", "x\n", "é", "k" * 101])
def test_a_key_that_could_end_the_mark_is_refused(key: str) -> None:
    with pytest.raises(ValueError, match="mark"):
        mark(key)


def test_one_key_never_begins_another() -> None:
    assert not mark("default-2", "1.1").startswith(mark("default"))


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("<!-- countci:v1 k 9001.2 -->\n### countci", (9001, 2)),
        ("<!-- countci:v1 k 9001.2 -->\r\n### countci", (9001, 2)),
        ("<!-- countci:v1 other 9001.2 -->\n", None),
        ("<!-- countci:v1 k 9001 -->\n", None),
        ("> <!-- countci:v1 k 9001.2 -->\n", None),
        ("", None),
    ],
)
def test_a_comment_is_known_by_its_mark_and_dated_by_its_run(
    body: str, found: tuple[int, int] | None
) -> None:
    assert attempt_of(body, "k") == found


def test_the_blamed_lines_are_linked_to_in_the_commit_that_was_measured() -> None:
    page = html(summary(EXPLAINED, FRAME))

    address = f"https://github.com/octo-org/hello/blob/{'a' * 40}/src/scan.c#L41-L58"
    assert f'See <a href="{address}"><code>src/scan.c:41-58</code></a>.' in page


def test_nothing_is_linked_to_without_a_repository() -> None:
    assert "<a " not in html(summary(EXPLAINED, Frame()))


@pytest.mark.parametrize(
    "file", ["a b.c", "x)(y.c", "](http://evil.example)", "#L1", "é.c", "<img>", "q?a=b", "`|`"]
)
def test_a_file_of_any_name_is_one_link_into_the_repository(file: str) -> None:
    assert WHY.blame is not None
    blame = msgspec.structs.replace(WHY.blame, hunk=Hunk(file=file, first=3, last=3))
    why = msgspec.structs.replace(WHY, blame=blame)

    page = html(summary(msgspec.structs.replace(EXPLAINED, explanations=(why,)), FRAME))

    links = re.findall(r'<a href="([^"]*)"', page)
    assert len(links) == 2
    assert links[0].startswith(f"https://github.com/octo-org/hello/blob/{'a' * 40}/")
    assert links[0].endswith("#L3")
    assert links[0].count("#") == 1


@pytest.mark.parametrize("file", ["../../evil/x.c", "/etc/passwd", "a/../../b.c", "a\nb.c"])
def test_a_file_outside_of_the_repository_is_not_linked_to(file: str) -> None:
    assert FRAME.lines(Hunk(file=file, first=1, last=1), head="a" * 40) == ""


@pytest.mark.parametrize("sha", ["..", "main", "a" * 39, "../" * 14, "A" * 40, ""])
def test_only_a_whole_sha_is_linked_to(sha: str) -> None:
    assert FRAME.lines(Hunk(file="x.c", first=1, last=1), head=sha) == ""


@pytest.mark.parametrize("text", ["x " * 5_000, "`" * 10_000, "漢|" * 3_000])
def test_a_comment_on_a_strangers_report_stays_within_its_bytes(text: str) -> None:
    body = comment(hostile(text), FRAME, key="k", attempt="1.1")

    assert len(body.encode()) <= COMMENT_LIMIT
    assert tags(html(body)) <= {*OURS, "a"}


@pytest.mark.parametrize("count", [300, 700, 3000])
def test_a_comment_stays_within_its_bytes_and_parses_to_its_end(count: int) -> None:
    body = comment(many(count, "漢字" * 20), FRAME, key="k", attempt="1.1")

    assert len(body.encode()) <= COMMENT_LIMIT
    page = html(body)
    assert page.count("<details>") == page.count("</details>")
    assert "left out here" in body
    assert body.endswith("updated for `aaaaaaa`\n") or "for want of room" in body


def test_a_summary_of_ten_thousand_queries_stays_within_its_bytes() -> None:
    text = summary(many(10_000, "long_" * 10), FRAME)

    assert 900_000 < len(text.encode()) <= SUMMARY_LIMIT
    assert "more rows are left out here." in text


def test_a_whole_page_is_not_cut() -> None:
    assert "left out" not in comment(FAILED, FRAME, key="k", attempt="1.1")
    assert comment(PASSED, FRAME, key="k", attempt="1.1").count("<details>") == 2


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_report_has_no_markup_but_our_two_kinds_of_links(text: str) -> None:
    page = html(comment(hostile(text), FRAME, key="k", attempt="1.1"))

    assert tags(page) <= {*OURS, "a"}
    addresses = re.findall(r'<a href="([^"]*)"', page)
    assert all(each.startswith("https://github.com/octo-org/hello/") for each in addresses)
    assert not re.search(r"[@#]\w|GH-\d|://|www\.", bare(page))
