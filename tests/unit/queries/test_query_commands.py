from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci import queries
from countci.errors import UsageError
from countci.model import CommandWork, Query
from countci.queries import Place
from countci.queries.placeholders import fill
from countci.units import Seconds

PLACE = Place(
    tree=Path("/c/my stage"),
    work=Path("/c/my work"),
    queries=Path("/c/queries"),
    env={"PATH": "/bin", "LC_ALL": "C"},
)


def query(command: str, *, stdin: str | None = None, setup: str | None = None, **env: str) -> Query:
    work = CommandWork(command=command, stdin=stdin, env=env)
    return Query(
        suite="bank",
        name="field",
        file="queries/bank.toml",
        work=work,
        setup=setup,
        timeout=Seconds(5.0),
    )


def test_each_placeholder_is_filled_in_and_a_space_in_a_path_splits_no_word() -> None:
    asked = queries.command(query("{build}/bank -f {work}/db -q={queries}/q -n {n}"), PLACE, 7)

    assert asked.argv == (
        *("/c/my stage/bank", "-f", "/c/my work/bank/db", "-q=/c/queries/q", "-n", "7"),
    )


def test_the_program_stays_as_it_is_written() -> None:
    assert queries.command(query("./bank {n}"), PLACE, 1).argv[0] == "./bank"


def test_a_process_runs_at_the_stage_with_the_places_environment_and_the_querys() -> None:
    asked = queries.command(query("bank", LC_ALL="de", DATA="{work}/d"), PLACE, 1)

    assert asked.cwd == PLACE.tree
    assert asked.env == {"PATH": "/bin", "LC_ALL": "de", "DATA": "/c/my work/bank/d"}
    assert asked.timeout == Seconds(5.0)
    assert asked.stdin is None


def test_standard_input_and_output_are_files() -> None:
    asked = queries.command(query("bank", stdin="sub/in.txt"), PLACE, 1, stdout=Path("/o"))

    assert asked.stdin == Path("/c/queries/sub/in.txt")
    assert asked.stdout == Path("/o")


def test_double_braces_are_braces_also_around_a_name() -> None:
    asked = queries.command(query("awk '{{print {n}}}' {{n}}"), PLACE, 3)

    assert asked.argv == ("awk", "{print 3}", "{n}")
    assert not query("x {{n}}").work.repeats
    assert query("x {{{n}}}").work.repeats


def test_a_suite_without_setup_has_no_command_for_it() -> None:
    assert queries.setup_command(query("bank"), PLACE) is None


def test_setup_may_take_longer_than_a_query() -> None:
    prepared = queries.setup_command(query("bank", setup="bank load {work}/db"), PLACE)

    assert prepared is not None
    assert prepared.argv == ("bank", "load", "/c/my work/bank/db")
    assert prepared.env == PLACE.env
    assert prepared.timeout == Seconds(600.0)


def test_a_query_that_was_never_checked_is_refused_with_file_and_name() -> None:
    with pytest.raises(UsageError, match=r"queries/bank\.toml: field: "):
        queries.command(query("bank {m}"), PLACE, 1)


@pytest.mark.parametrize("template", ["{", "}", "{}", "{a b}", "x{n"])
def test_a_brace_alone_is_refused(template: str) -> None:
    with pytest.raises(UsageError, match="is not a placeholder"):
        fill(template, {"n": "1"}, "f:1")


@given(st.text())
def test_any_text_with_its_braces_doubled_comes_back(text: str) -> None:
    template = text.replace("{", "{{").replace("}", "}}")

    assert fill(template, {}, "f:1") == text
