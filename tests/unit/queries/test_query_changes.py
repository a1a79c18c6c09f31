from __future__ import annotations

import pytest

from countci import queries
from countci.model import Suites

BASE = '[query.a]\ncommand = "x {n}"\n[query.b]\ncommand = "y {n}"\n'


def load(text: str, data: str = "") -> Suites:
    files = {"bank.toml": text.encode(), "data.txt": data.encode()}
    return queries.load(files, folder="queries", limits={})


def codes(text: str, data: str = "") -> list[str]:
    return [reason.code for reason in queries.changed(load(BASE), load(text, data))]


def test_equal_files_say_nothing() -> None:
    assert codes(BASE) == []
    assert queries.loosened(load(BASE), load(BASE)) == ()


def test_a_loosened_limit_is_named_with_both_values() -> None:
    head = load(BASE + 'limit.time = "4.5%"\n')

    [found] = queries.loosened(load(BASE), head)

    assert (found.query, found.metric, found.base.share) == ("bank/b", "time", 0.03)
    assert found.text.replace("\N{NO-BREAK SPACE}", " ") == (
        "bank/b: the limit of time was loosened from 3 % to 4.5 %"
    )


def test_a_stricter_limit_is_nobodys_business() -> None:
    head = load(BASE + 'limit.time = "1%"\n')

    assert queries.loosened(load(BASE), head) == ()


def test_a_metric_that_is_no_longer_measured_is_named() -> None:
    assert codes(BASE + 'metrics = ["time"]\n') == ["metric-dropped"]


@pytest.mark.parametrize(
    "text",
    [
        BASE.replace("y {n}", "y -n {n}"),
        BASE + 'env.A = "1"',
        BASE + 'stdin = "data.txt"',
        'setup = "x"\n' + BASE,
    ],
)
def test_a_file_whose_queries_ask_something_else_is_named_once(text: str) -> None:
    [reason] = queries.changed(load(BASE), load(text))

    assert reason.code == "query-changed"
    assert "queries/bank.toml" in reason.text


def test_changed_data_is_named() -> None:
    assert codes(BASE, data="new") == ["query-data-changed"]


def test_a_new_query_changes_no_old_one() -> None:
    assert codes(BASE + '[query.c]\ncommand = "z"\n') == []


def test_what_base_had_and_head_has_not_is_gone() -> None:
    head = load(BASE.replace("query.a", "query.c"))

    assert [query.id for query in queries.gone(load(BASE), head)] == ["bank/a"]
    assert queries.gone(head, head) == ()


def test_a_limit_of_another_form_is_told_since_no_number_says_which_is_looser() -> None:
    base, head = (load(BASE + f'limit.time = "{limit}"\n') for limit in ("50%", "1.5x"))

    [found] = queries.loosened(base, head)
    assert found.text.endswith("from 50\N{NO-BREAK SPACE}% to 1.5x")
