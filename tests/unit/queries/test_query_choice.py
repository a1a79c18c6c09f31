from __future__ import annotations

import pytest

from countci import queries
from countci.errors import UsageError
from countci.model import Suites

TWO = '[query.field]\ncommand = "x"\n[query.branch]\ncommand = "x"\n'
ONE = '[query.a]\ncommand = "x"\n'


@pytest.fixture(scope="module")
def suites() -> Suites:
    files = {"bank.toml": TWO, "banking.toml": ONE, "sub/zoo.toml": ONE}
    contents = {path: text.encode() for path, text in files.items()}
    return queries.load(contents, folder="queries", limits={})


@pytest.mark.parametrize(
    ("patterns", "ids"),
    [
        ([], ["bank/field", "bank/branch", "banking/a", "sub/zoo/a"]),
        (["bank"], ["bank/field", "bank/branch"]),
        (["bank/"], ["bank/field", "bank/branch"]),
        (["bank/*"], ["bank/field", "bank/branch"]),
        (["bank/f*"], ["bank/field"]),
        (["sub"], ["sub/zoo/a"]),
        (["sub/zoo"], ["sub/zoo/a"]),
        (["banking", "bank/field", "bank/f*"], ["bank/field", "banking/a"]),
        (["*/a"], ["banking/a", "sub/zoo/a"]),
    ],
)
def test_a_pattern_means_queries_suites_and_folders(
    suites: Suites, patterns: list[str], ids: list[str]
) -> None:
    assert [query.id for query in queries.select(suites, patterns)] == ids


def test_a_pattern_that_matches_nothing_is_an_error_that_names_the_nearest(suites: Suites) -> None:
    with pytest.raises(UsageError, match="no query matches") as caught:
        queries.select(suites, ["bank", "bank/feild"])

    assert caught.value.where == "--query bank/feild"
    assert "bank/field" in caught.value.detail


def test_a_pattern_near_nothing_lists_what_there_is(suites: Suites) -> None:
    with pytest.raises(UsageError) as caught:
        queries.select(suites, ["Q"])

    assert caught.value.detail == "there are bank/field, bank/branch, banking/a, sub/zoo/a"
