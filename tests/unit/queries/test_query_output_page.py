"""The page about queries, where it is about output."""

from __future__ import annotations

import re
from pathlib import Path

from countci import queries
from countci.readers import READERS

PAGE = (Path(__file__).parents[3] / "docs" / "queries.md").read_text(encoding="utf-8")
SECTION = PAGE[PAGE.index("## Output: ") : PAGE.index("## Python: ")]


def test_the_example_is_read_as_it_stands() -> None:
    found = re.search(r"```toml\n(.*?)```", SECTION, re.DOTALL)
    assert found

    suites = queries.load({"a.toml": found[1].encode()}, folder="queries", limits={})

    assert [query.id for query in suites.queries][-2:] == ["a/files[clients=120]", "a/replay"]


def test_the_table_names_every_reader_and_all_that_it_tells_the_usual_first() -> None:
    rows = re.findall(r"^\| (`[^|]+) \| ?([^|]*)\| ([^|]+) \|$", SECTION, re.MULTILINE)
    table = {name: cell for names, _, cell in rows for name in re.findall(r"`([^`]+)`", names)}

    assert set(READERS) <= set(table)
    for name, reader in READERS.items():
        told = re.findall(r"`([a-z0-9_]+)`", table[name])
        assert told[0] == reader.usual[0]
        every = {metric.removeprefix("read_").removeprefix("write_") for metric in reader.metrics}
        between = {"p75", "p90", "p95"} if "p50" in told else set()
        assert every <= {*told, *between}, name
