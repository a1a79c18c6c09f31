from __future__ import annotations

import io
import re

from countci.cli.pace import Pace
from countci.cli.progress import Live, Plain, shown

TERMINAL = {"TERM": "xterm-256color"}


class Screen(io.StringIO):
    """A terminal that remembers."""

    def isatty(self) -> bool:
        return True


class Broken(Screen):
    """A terminal whose window was closed."""

    def write(self, _text: str, /) -> int:
        raise BrokenPipeError


class Clock:
    """Shows the time that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def visible(stream: io.StringIO) -> str:
    """Return what stands in the live line now."""
    last = stream.getvalue().rpartition("\r\x1b[K")[2]
    return re.sub(r"\x1b\[[0-9;]*m", "", last)


def test_a_log_gets_a_line_a_step() -> None:
    log, clock = io.StringIO(), Clock()
    with shown(log, TERMINAL, clock) as progress:
        progress.step("build base 0b5fa1d")
        clock.now = 75
        progress.step("count head")

    assert log.getvalue() == "00:00  build base 0b5fa1d\n01:15  count head\n"


def test_a_log_gets_at_most_one_line_in_ten_seconds_inside_a_step() -> None:
    log, clock = io.StringIO(), Clock()
    progress = Plain(log, clock)
    progress.step("time")
    for second in range(1, 26):
        clock.now = second
        progress.advance("bank/field", second, 40)

    assert log.getvalue().replace("\N{NO-BREAK SPACE}", " ").splitlines() == [
        "00:00  time",
        "00:10    bank/field 10/40, about 30.0 s left",
        "00:20    bank/field 20/40, about 20.0 s left",
    ]


def test_a_terminal_shows_one_line_and_leaves_none() -> None:
    screen, clock = Screen(), Clock()
    with shown(screen, TERMINAL, clock) as progress:
        progress.step("time")
        clock.now = 65
        progress.advance("bank/field", 12, 40)
        assert visible(screen).startswith("01:05  time  bank/field 12/40, about 2")

    assert "\n" not in screen.getvalue()
    assert visible(screen) == ""


def test_the_line_is_cleared_when_the_run_ends_in_an_error() -> None:
    screen = Screen()
    listening = shown(screen, TERMINAL)
    listening.__enter__().step("build")

    swallowed = listening.__exit__(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert not swallowed

    assert visible(screen) == ""


def test_no_colour_means_no_colour() -> None:
    screen = Screen()
    with shown(screen, {**TERMINAL, "NO_COLOR": "1"}) as progress:
        progress.step("build")

    assert "\x1b[1m" not in screen.getvalue()
    assert "build" in screen.getvalue()


def test_a_terminal_that_cannot_move_its_cursor_gets_plain_lines() -> None:
    for env in ({"TERM": "dumb"}, {}, {**TERMINAL, "CI": "true"}):
        screen = Screen()
        with shown(screen, env, Clock()) as progress:
            progress.step("build")

        assert screen.getvalue() == "00:00  build\n"


def test_time_passes_on_the_line_while_nothing_else_happens() -> None:
    screen, clock = Screen(), Clock()
    live = Live(screen, clock, colour=False)
    live.step("build head")
    clock.now = 61
    live.tick()

    assert visible(screen) == "01:01  build head"


def test_a_long_name_never_breaks_the_line() -> None:
    screen = Screen()
    live = Live(screen, Clock(), colour=True)
    live.step("n" * 300)

    assert len(visible(screen)) < 120


def test_a_name_cannot_move_the_cursor() -> None:
    log = io.StringIO()
    Plain(log, Clock()).step("a\r\x1b[2Jb\nc")

    assert log.getvalue() == "00:00  a b c\n"


def test_a_closed_window_does_not_stop_the_run() -> None:
    with shown(Broken(), TERMINAL) as progress:
        progress.step("build")
        progress.advance("bank/field", 1, 2)


def test_another_query_is_another_count() -> None:
    clock = Clock()
    pace = Pace(clock)
    pace.advance("bank/field", 0, 40)
    clock.now = 100
    pace.advance("bank/field", 40, 40)
    pace.advance("bank/found", 0, 40)
    clock.now = 102
    pace.advance("bank/found", 1, 40)

    assert pace.text.replace("\N{NO-BREAK SPACE}", " ") == "bank/found 1/40, about 78.0 s left"


def test_more_pairs_than_first_thought_keep_the_pace() -> None:
    clock = Clock()
    pace = Pace(clock)
    pace.advance("bank/field", 0, 10)
    clock.now = 10
    pace.advance("bank/field", 10, 20)

    assert pace.text.replace("\N{NO-BREAK SPACE}", " ") == "bank/field 10/20, about 10.0 s left"


def test_a_step_whose_end_is_unknown_shows_what_it_can() -> None:
    pace = Pace(Clock())
    assert pace.text == ""

    pace.advance("file", 3, None)
    assert pace.text == "file 3 done"


def test_what_only_begins_is_shown_without_a_number() -> None:
    pace = Pace(Clock())
    pace.advance("set up bank", 0, None)

    assert pace.text == "set up bank"


def test_a_name_that_the_step_has_already_is_not_shown_twice() -> None:
    pace = Pace(Clock(), "time bank/field")
    pace.advance("bank/field", 0, 40)

    assert pace.text == "0/40"
