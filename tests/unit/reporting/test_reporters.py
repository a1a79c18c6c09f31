"""All reporters alike: a new one is tested by being listed."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import msgspec
import pytest

from countci.errors import UsageError
from countci.model import Change, Explanation, Hunk, Limit, Metric, Moved, Reason, Report, Status
from countci.reporting import REPORTERS, Look, reporter_for
from countci.reporting.github import defused
from tests.conftest import Golden
from tests.reports import FAILED, REPORTS, WHY


def obeyed(log: str) -> list[str]:
    """Return the lines that the runner takes for commands, by the rules of ActionCommand.cs."""
    lines = re.split(r"\r\n|\r|\n", log)
    return [line for line in lines if line.lstrip().startswith("::") or "##[" in line]


PLAIN = Look(width=80, colour=False)
HOSTILE = {
    "backticks": "x`|``y```",
    "pipes": "a|b | c\\|d",
    "html": "<img src=x onerror=alert(1)></details></summary>",
    "mention": "@mona #1 GH-2 octo/hello#3",
    "link": "](https://evil.example) [x www.evil.example",
    "colours": "\x1b[31mred\x1b[0m \x1b]8;;https://evil.example\x07here\x1b]8;;\x07",
    "bidi": "\u202egnp.exe\u2066\u200f",
    "newlines": "one\ntwo\r\n### three\u2028four\x85five",
    "command": "::error file=a::b ##[error]c",
    "end": "ends\\",
    "blank": "  ",
    "surrogate": "caf\udce9",
    "long": "very_" * 60,
    "mark": "--> <!-- countci:v1 k 9.9 -->",
    "address": "https://evil.example/?a=1&b=<c>",
    "attribute": "' onmouseover='alert(1)\" x=\"",
    "invisible": "\ufeffa\u200bb\u00adc\ufffe\uffff",
}


def hostile(text: str) -> Report:
    """Return a report in which everything that a repository can name is `text`."""
    reason = Reason(code="x", text=text)
    crashed = FAILED.verdicts[6]
    assert crashed.problem is not None
    problem = msgspec.structs.replace(crashed.problem, problem=text, where=text, detail=text)
    raw = [
        msgspec.structs.replace(
            comparison,
            query=msgspec.structs.replace(
                comparison.query, suite=text, name=f"{text}{number}", file=text
            ),
        )
        for number, comparison in enumerate(FAILED.comparisons)
    ]
    verdicts = [
        msgspec.structs.replace(verdict, query=comparison.query.id, reasons=(reason,))
        for verdict, comparison in zip(FAILED.verdicts, raw, strict=True)
    ]
    verdicts[4] = msgspec.structs.replace(
        verdicts[4], status=Status.FAIL, changes=(_hostile_change(text),)
    )
    verdicts[6] = msgspec.structs.replace(verdicts[6], problem=problem)
    revision = msgspec.structs.replace(FAILED.head.revision, name=text, subject=text)
    return msgspec.structs.replace(
        FAILED,
        head=msgspec.structs.replace(FAILED.head, revision=revision),
        verdicts=tuple(verdicts),
        comparisons=tuple(raw),
        explanations=(_hostile_why(text, raw[0].query.id),),
        notices=(reason,),
        command=text,
    )


def _hostile_change(text: str) -> Change:
    """Return the change of a metric that only its query has, and so its name and its unit."""
    return msgspec.structs.replace(
        FAILED.verdicts[4].changes[1],
        metric=text,
        status=Status.FAIL,
        own=Metric(name=text, unit=text, exact=False),
        limit=Limit(form="amount", amount=3.0),
    )


def _hostile_why(text: str, query: str) -> Explanation:
    hunk = Hunk(file=text, first=1, last=2)
    assert WHY.blame is not None
    return msgspec.structs.replace(
        WHY,
        query=query,
        metric=text,
        causes=tuple(
            msgspec.structs.replace(cause, title=text, words=text, details=(text,), hunks=(hunk,))
            for cause in WHY.causes
        ),
        blame=msgspec.structs.replace(WHY.blame, hunk=hunk, title=text, words=text, source=text),
        functions=(Moved(name=text, base=1.0, head=2.0),),
        notes=(Reason(code="x", text=text),),
    )


@pytest.mark.parametrize("report", REPORTS)
@pytest.mark.parametrize("name", REPORTERS)
def test_a_report_reads_as_recorded(name: str, report: str, golden: Golden) -> None:
    reporter = REPORTERS[name]

    golden(f"tests/golden/{report}.{reporter.suffix}", reporter.render(REPORTS[report], PLAIN))


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("name", REPORTERS)
def test_no_control_character_of_a_name_gets_through(name: str, text: str) -> None:
    rendered = REPORTERS[name].render(hostile(text), PLAIN)

    found = {each for each in rendered if unicodedata.category(each) in ("Cc", "Cf", "Cs", "Zl")}
    assert found == {"\n"}
    rendered.encode()  # what can't be written would end in a traceback


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("name", REPORTERS)
def test_no_line_of_a_report_is_a_command_to_the_runner_that_logs_it(name: str, text: str) -> None:
    assert not obeyed(defused(REPORTERS[name].render(hostile(text), PLAIN)))


@pytest.mark.parametrize("name", REPORTERS)
def test_a_report_is_the_same_every_time(name: str) -> None:
    assert REPORTERS[name].render(FAILED, PLAIN) == REPORTERS[name].render(FAILED, PLAIN)


@pytest.mark.parametrize("name", REPORTERS)
def test_a_reporter_is_found_by_its_name_and_by_its_files(name: str) -> None:
    suffix = REPORTERS[name].suffix

    assert reporter_for(name) is REPORTERS[name]
    assert reporter_for(Path("out") / f"report.{suffix}") is REPORTERS[name]


def test_two_reporters_never_share_a_suffix() -> None:
    assert len({reporter.suffix for reporter in REPORTERS.values()}) == len(REPORTERS)


def test_a_mistyped_format_names_the_near_one_and_all_others() -> None:
    with pytest.raises(UsageError, match="no such report format") as caught:
        reporter_for("markdwon")

    assert "did you mean markdown?" in caught.value.detail
    assert ".txt, .md, .json" in caught.value.detail


def test_a_file_without_a_suffix_is_an_error() -> None:
    with pytest.raises(UsageError):
        reporter_for(Path("results"))
