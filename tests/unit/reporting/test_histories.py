from __future__ import annotations

import datetime as dt
import json
from pathlib import PurePath
from xml.etree import ElementTree as ET

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci.errors import UsageError
from countci.model import History, Problem
from countci.reporting import Look
from countci.reporting.history import (
    FORMATS,
    ascii_only,
    bisection_as_json,
    format_of,
    render_bisection,
)
from countci.reporting.history.following import after_equal_ends, after_step
from countci.reporting.history.plot import Frame, plot
from countci.reporting.history.terminal import render
from countci.reporting.history.words import day, gaps, named
from tests.conftest import Golden
from tests.histories import FOUND, MOVED, NOTICED, commit, entry, history

LOOK = Look(width=80, colour=False)
_SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("name", FORMATS)  # a new form is tested by being listed
def test_a_history_with_steps_and_gaps_reads_as_recorded(name: str, golden: Golden) -> None:
    golden(f"tests/golden/history.{FORMATS[name].suffix}", FORMATS[name].render(MOVED, LOOK))


def test_what_a_search_found_reads_as_recorded(golden: Golden) -> None:
    golden("tests/golden/bisection.txt", render_bisection(FOUND, LOOK))


@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    look = Look(width=width, colour=False)
    noticed = msgspec.structs.replace(MOVED, notices=(NOTICED,))

    lines = (render(noticed, look) + render_bisection(FOUND, look)).splitlines()

    assert max(map(len, lines)) <= width


def test_json_is_read_back_as_it_was() -> None:
    text = FORMATS["json"].render(MOVED, LOOK)

    assert msgspec.json.decode(text, type=History) == MOVED
    assert json.loads(bisection_as_json(FOUND))["query"] == "json/parse"


def test_a_picture_is_well_formed_whatever_a_message_holds() -> None:
    odd = commit(2, subject="</text>&\x00\x1b[31m\ufffe\ud800 é <script>")
    entries = [*MOVED.entries[:1], msgspec.structs.replace(MOVED.entries[1], commit=odd)]

    root = ET.fromstring(FORMATS["svg"].render(history(entries), LOOK))  # noqa: S314 - our own

    assert root.find(f"{_SVG}title") is not None
    assert not root.findall(f".//{_SVG}script")


def test_a_picture_has_a_panel_for_each_query_and_a_mark_for_each_gap() -> None:
    root = ET.fromstring(FORMATS["svg"].render(MOVED, LOOK))  # noqa: S314 - our own

    assert len(root.findall(f"{_SVG}g")) == 1
    assert len(root.findall(f".//{_SVG}path[@class='gap']")) == 2
    assert len(root.findall(f".//{_SVG}circle[@class='worse']")) == 1
    assert len(root.findall(f".//{_SVG}circle[@class='better']")) == 1


def test_a_history_without_a_single_move_has_no_plot_and_no_steps() -> None:
    flat = history([entry(number, 5.0, 5.0, 5.0) for number in range(1, 4)])

    text = render(flat, LOOK)

    assert "┤" not in text
    assert "Steps" not in text
    assert "Gaps" not in text


def test_where_only_ascii_is_known_nothing_else_is_printed() -> None:
    text = ascii_only(render(MOVED, LOOK, braille=False))

    assert text.isascii()
    assert "-6.38 %" in text
    assert "*" in text
    assert "?" not in text


def test_an_unknown_suffix_names_the_known_ones() -> None:
    assert format_of(PurePath("a/b.svg")) is FORMATS["svg"]
    with pytest.raises(UsageError) as caught:
        format_of(PurePath("log.png"))
    assert ".svg" in caught.value.detail


def test_a_plot_is_highest_where_the_number_is() -> None:
    frame = Frame(width=20, height=3, braille=False)

    lines = plot([1.0, 1.0, 3.0, 2.0], frame)

    assert [line.partition("|")[0].strip() for line in lines] == ["3", "", "1"]
    drawn = [line.partition("|")[2] for line in lines]
    assert drawn[0].index("*") > drawn[2].index("*")
    assert drawn[1].rstrip().endswith("*")


def test_a_gap_stays_empty_in_a_plot() -> None:
    frame = Frame(width=8, height=2, braille=False)

    lines = plot([1.0, None, 2.0], frame)

    columns = [line.partition("|")[2].ljust(3) for line in lines]
    assert all(line[1] == " " for line in columns)


@given(
    st.lists(st.none() | st.floats(0, 1e12), max_size=300),
    st.integers(40, 120),
    st.booleans(),
)
def test_a_plot_never_leaves_its_frame(
    numbers: list[float | None],
    width: int,
    braille: bool,  # noqa: FBT001
) -> None:
    lines = plot(numbers, Frame(width=width, height=6, braille=braille))

    assert len(lines) in {0, 6}
    assert all(len(line) <= width for line in lines)


@given(st.integers(-(10**9), 4 * 10**9))
def test_a_day_is_the_calendars(seconds: int) -> None:
    when = dt.datetime(1970, 1, 1, tzinfo=dt.UTC) + dt.timedelta(seconds=seconds)

    assert day(msgspec.structs.replace(commit(1), authored=seconds)) == f"{when:%Y-%m-%d}"


def test_gaps_of_one_reason_are_told_together() -> None:
    broken = [msgspec.structs.replace(MOVED.entries[4], commit=commit(n)) for n in range(1, 9)]

    found = gaps(history([*broken, MOVED.entries[3]]))

    assert [len(commits) for _, commits in found] == [8, 1]
    assert found[0][0] == "exit status 2: no rule"
    assert named(found[0][1]).endswith(" and 3 more")


def test_ends_that_are_equal_say_that_nothing_was_searched() -> None:
    same = msgspec.structs.replace(FOUND, head=FOUND.base, delta=0.0, steps=())

    text = render_bisection(same, LOOK)

    assert "The ends are equal: nothing was searched." in text
    assert "countci log 0000001000..0000006000 --query json/parse" in " ".join(text.split())


def test_the_log_of_a_long_range_is_offered_with_a_stride_and_the_limit() -> None:
    long = msgspec.structs.replace(FOUND, commits=401, limit=0.00001, options="--config a.toml")

    command = after_equal_ends(long)

    assert command.endswith(" --query json/parse --every 21 --limit 0.001% --config a.toml")
    assert not after_equal_ends(msgspec.structs.replace(long, metric="allocations"))


def test_a_search_among_suspects_keeps_the_metric_and_the_limit() -> None:
    command = after_step(MOVED.steps[1], (), "", metric="allocations", limit=0.02)

    assert command.startswith("countci bisect ")
    assert command.endswith(" --metric allocations --limit 2%")


def test_many_small_moves_are_said_to_add_up() -> None:
    small = msgspec.structs.replace(FOUND, steps=(), rest=FOUND.delta)

    assert "many small moves add up" in render_bisection(small, LOOK)


def test_suspects_nobody_looked_at_are_searched_next() -> None:
    step = MOVED.steps[1]

    assert after_step(step, {each.sha for each in step.suspects}, "").startswith("countci explain ")
    assert after_step(step, {step.commit.sha}, "").startswith("countci bisect ")


def test_a_commit_that_moved_several_queries_is_named_once_the_largest_move_first() -> None:
    one = MOVED.steps[0]
    other = msgspec.structs.replace(one, query="json/print", delta=2 * one.delta)
    moved = msgspec.structs.replace(MOVED, steps=(one, other, MOVED.steps[1]))

    text = render(moved, LOOK).partition("\nSteps\n")[2]

    assert text.count(one.commit.sha[:10] + "  ") == 1
    assert text.index("json/print") < text.index("json/parse")
    assert f"countci explain {one.before.sha[:10]} {one.commit.sha[:10]} json/print" in text
    table = FORMATS["markdown"].render(moved, LOOK)
    assert table.index("`json/print`") < table.index("`json/parse`")


def test_the_command_that_follows_has_the_options_that_it_needs() -> None:
    given = "--config '../my conf.toml'"

    shown = render(msgspec.structs.replace(MOVED, options=given), LOOK)
    found = render_bisection(msgspec.structs.replace(FOUND, options=given), LOOK)

    for text in (shown, found):
        joined = text.replace(" \\\n", " ")
        assert f"json/parse {given}" in " ".join(joined.split())


@pytest.mark.parametrize(("quiet", "rows"), [(4, 4), (5, 2), (130, 2)])
def test_of_many_commits_that_changed_nothing_only_the_last_is_shown(quiet: int, rows: int) -> None:
    first = entry(1, 5_000.0, None, 5_000.0)
    same = [entry(number, 5_000.0, 5_000.0, 5_000.0) for number in range(2, 2 + quiet)]
    lines = render(history([first, *same]), LOOK).splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith("commit"))

    shown = lines[start + 2 : start + 2 + rows]
    assert shown[-1].startswith(same[-1].commit.sha[:7])
    assert (f"… {quiet - 1} commits without a change" in shown[0]) == (quiet > 4)


def test_a_gap_says_the_compilers_first_error() -> None:
    log = "cc -c words.c\nwords.c:3:1: error: expected ';'\nwords.c:9: error: more\nmake: *** 1"
    broken = msgspec.structs.replace(
        entry(2, None, None, 1.0), problem=Problem(problem="the build failed", detail=log)
    )

    reasons = [reason for reason, _ in gaps(history([broken]))]
    assert reasons[0] == "the build failed: words.c:3:1: error: expected ';'"
