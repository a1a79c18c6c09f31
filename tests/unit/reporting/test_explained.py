from __future__ import annotations

import msgspec

from countci.model import Hunk
from countci.reporting.explained import blamed, places, reasoned, said
from countci.reporting.terminal_explained import explanations
from tests.reports import WHY


def test_each_file_is_named_once_and_what_is_too_much_is_counted() -> None:
    hunks = [
        Hunk(file=file, first=at, last=at + 2) for file, at in zip("aabcd", range(5), strict=True)
    ]

    assert places(hunks) == "a:0-2, 1-3, b:2-4, and 2 more"


def test_only_what_both_rules_name_is_called_the_cause() -> None:
    assert WHY.blame is not None
    likely = msgspec.structs.replace(WHY.blame, sure=False, other=Hunk(file="b.c", first=7, last=7))

    assert blamed(WHY) == "caused by src/scan.c:41-58 (scan_next)"
    text = blamed(msgspec.structs.replace(WHY, blame=likely))
    assert text == "most likely src/scan.c:41-58 (scan_next), or b.c:7"


def test_why_a_hunk_is_named_is_said_where_it_is_only_likely() -> None:
    assert WHY.blame is not None
    likely = msgspec.structs.replace(WHY.blame, sure=False, words="unchanged code uses it")

    assert reasoned(WHY) == blamed(WHY)
    text = reasoned(msgspec.structs.replace(WHY, blame=likely))
    assert text == "most likely src/scan.c:41-58 (scan_next); unchanged code uses it"


def test_without_a_hunk_none_is_named() -> None:
    assert blamed(msgspec.structs.replace(WHY, blame=None)) == ""


def test_removed_code_is_said_to_be_removed() -> None:
    assert WHY.blame is not None
    hunk = msgspec.structs.replace(WHY.blame.hunk, removed=True)
    blame = msgspec.structs.replace(WHY.blame, hunk=hunk)

    assert blamed(msgspec.structs.replace(WHY, blame=blame)).endswith("where code was removed")


def test_what_the_causes_leave_is_a_line_only_when_it_is_much() -> None:
    assert said(WHY)[-1].title == "the rest"
    assert said(msgspec.structs.replace(WHY, rest=30.0))[-1].title != "the rest"


def test_functions_and_lines_are_shown_where_one_query_was_asked_for() -> None:
    shown, hidden = (
        ["".join(part.text for part in line) for line in explanations([WHY], 80, alone=alone)]
        for alone in (True, False)
    )
    name = WHY.functions[0].name

    assert shown[: len(hidden)] == hidden
    assert [line for line in shown[len(hidden) :] if name in line]


def test_nothing_is_wider_than_the_terminal() -> None:
    long = msgspec.structs.replace(WHY, query="bank/" + "long_" * 30)
    for width in (40, 80):
        for line in explanations([long], width, alone=True):
            assert sum(len(part.text) for part in line) <= width
