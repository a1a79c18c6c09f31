"""The published comparisons under docs/examples, as the loader of the project reads them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from countci import config, queries
from countci.config import Config
from countci.model import Query
from countci.queries import output_values, varied

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "comparisons.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("| ").split(" | ")]
    for line in PAGE.splitlines()
    if line.startswith("| ") and line.count(" | ") == 4
][1:]
"""Of the table of comparisons, without its heading."""
FOLDERS = [row[1] for row in ROWS]
RULES = {"median": "share", "slope": "share", "ratio": "ratio", "head": "amount"}
"""What the page says first of each rule, to the form of limit that it reads."""


def read(folder: str) -> tuple[Config, tuple[Query, ...]]:
    """Return the configuration and the queries of one comparison."""
    top = DOCS / "examples" / folder
    found = config.parse_file((top / "countci.toml").read_bytes(), file="countci.toml")
    below = top / found.queries
    files = {path.relative_to(below).as_posix(): path.read_bytes() for path in below.iterdir()}
    return found, queries.load(files, folder=found.queries, limits=found.limits).queries


def judged(cell: str) -> dict[str, str]:
    """Return the limit of each metric that a cell of the page names."""
    return {
        metric: limit.replace(" %", "%")
        for metric, limit in re.findall(r"`(\w+)` (\d+ %|[\d.]+x|\d+ KiB|constant|none)", cell)
    }


def test_twelve_comparisons_are_listed_and_each_folder_with_queries_is_one() -> None:
    there = {path.parent.name for path in (DOCS / "examples").glob("*/countci.toml")}

    assert len(FOLDERS) == len(set(FOLDERS)) == 12
    assert set(FOLDERS) <= there


@pytest.mark.parametrize(("folder", "kind"), [(row[1], row[3]) for row in ROWS])
def test_each_query_is_of_the_kind_that_the_page_says(folder: str, kind: str) -> None:
    kinds = {type(query.work).__struct_config__.tag for query in read(folder)[1]}

    assert kinds == {kind.strip("`")}


@pytest.mark.parametrize(("folder", "cell"), [(row[1], row[4]) for row in ROWS if row[1] != "aim9"])
def test_limits_are_those_of_the_page(folder: str, cell: str) -> None:
    said = judged(cell)
    found = {
        metric: query.limit(query.metric(metric)).text(query.metric(metric))
        for query in read(folder)[1]
        if query.name != "one-connection"
        for metric in query.metrics
    }

    assert {
        metric: limit.replace("\N{NO-BREAK SPACE}", " ").replace(" %", "%")
        for metric, limit in found.items()
    } == said


@pytest.mark.parametrize(("folder", "cell"), [(row[1], row[4]) for row in ROWS])
def test_a_rule_that_the_page_names_is_the_one_that_reads_the_limit(folder: str, cell: str) -> None:
    forms = {
        query.limit(query.metric(metric)).form
        for query in read(folder)[1]
        for metric in query.metrics
    }
    named = {form for word, form in RULES.items() if f": {word}" in cell}

    assert named <= forms
    assert forms <= {*named, "none", "constant", "share"}


@pytest.mark.parametrize(("folder", "sides"), [(row[1], row[2]) for row in ROWS if "+" in row[2]])
def test_both_variants_are_there_and_can_ask_every_query(folder: str, sides: str) -> None:
    found, asked = read(folder)
    names = re.findall(r"HEAD\+(\w+)", sides)

    assert len(names) == 2
    for name in names:
        for query in asked:
            queries.check_variant(found.variants[name], query, where=name)
            assert varied(query, found.variants[name]) != query


def test_sweeps_have_the_published_rows() -> None:
    for folder, axis, published in (
        ("chat", "rooms", "chat_2.4.19"),
        ("files", "clients", "dbench_2.4.19"),
        ("files", "clients", "tbench_2.5.32"),
    ):
        rows = (DOCS.parent / f"tests/data/published/{published}.csv").read_text().splitlines()
        values = [row.split(",")[0] for row in rows[1:-1]]
        name = "rooms" if folder == "chat" else published.partition("_")[0]
        points = [query.sweep[axis] for query in read(folder)[1] if query.name.startswith(name)]

        assert points == values


def test_aim9_reads_every_published_rate_from_a_table_as_it_was_posted() -> None:
    rows = (DOCS.parent / "tests/data/published/aim9.csv").read_text().splitlines()[1:]
    (query,) = read("aim9")[1]
    table = "".join(
        f"{number:6} {name:20} 60.00 {number + 7:10} {number}.50000 {rate}.25 {what}\n"
        for number, (name, what, rate, *_) in enumerate((row.split(",") for row in rows), 1)
    )

    found = output_values(query, table)

    assert {name: int(value) for name, value in found.items()} == {
        row.split(",")[0]: int(row.split(",")[2]) for row in rows
    }
