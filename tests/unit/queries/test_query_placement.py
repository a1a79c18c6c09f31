from __future__ import annotations

import pytest

from countci import queries
from countci.errors import UsageError
from countci.model import PLACEMENTS, Query


def load(text: str) -> Query:
    files = {"bank.toml": f"[query.field]\n{text}".encode()}
    return queries.load(files, folder="queries", limits={}).queries[0]


def refused(text: str) -> str:
    with pytest.raises(UsageError) as caught:
        load(text)
    return str(caught.value)


@pytest.mark.parametrize("name", PLACEMENTS[:3])
def test_a_query_says_where_its_timed_runs_are_placed(name: str) -> None:
    assert load(f'command = "./bank {{n}}"\nplacement = "{name}"\n').placement == name


def test_without_one_it_runs_anywhere_and_asks_the_same_work() -> None:
    plain, placed = (
        load(f'command = "./bank {{n}}"\n{more}') for more in ("", 'placement = "one-core"\n')
    )

    assert plain.placement == ""
    assert plain.digest == placed.digest


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('command = "x"\nplacement = "one-cor"\n', 'did you mean "one-core"?'),
        ('command = "x"\nplacement = "apart"\n', "queries/bank.toml:3: bank/field has no load"),
        (
            'command = "x"\nplacement = "one-core"\nmetrics = ["instructions"]\n',
            "nothing of it is timed",
        ),
        ('kind = "pytest"\nargs = ["x"]\nplacement = "one-core"\n', "is not timed"),
    ],
)
def test_a_placement_that_means_nothing_is_refused(text: str, said: str) -> None:
    assert said in refused(text)
