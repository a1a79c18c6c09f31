"""Whose limits hold, planned in a real repository; nothing is built."""

from __future__ import annotations

from pathlib import Path

import pytest

from countci import planning
from countci.job import Job
from countci.model import Limit
from countci.planning import Plan
from tests.unit.revisions.conftest import Git

QUERIES = '[query.field]\ncommand = "./bank {n}"\n'
LOOSE = 'build = ["make"]\n[limits]\ninstructions = "100%"\n'


@pytest.fixture
def top(tmp_path: Path) -> tuple[Git, Path]:
    git = Git(tmp_path / "home")
    at = git.init(tmp_path / "project")
    git.commit(at, "First", {"countci.toml": 'build = ["make"]\n', "queries/bank.toml": QUERIES})
    git.commit(at, "Loosen", {"countci.toml": LOOSE})
    return git, at


def planned(
    top: tuple[Git, Path], queries_from: str = "head", limits: dict[str, Limit] | None = None
) -> Plan:
    git, at = top
    return planning.plan(
        Job(
            where=at,
            env=git.env,
            base="HEAD~1",
            head="HEAD",
            queries_from=queries_from,
            limits=limits or {},
            cache_dir=at.parent / "cache",
        )
    )


def share(plan: Plan) -> float:
    query = plan.suites.queries[0]
    return query.limit(query.metric("instructions")).share


def test_a_limit_that_heads_configuration_loosens_is_known_with_bases(
    top: tuple[Git, Path],
) -> None:
    plan = planned(top)

    assert share(plan) == 1.0
    assert [(each.query, each.base.share) for each in plan.loosened] == [("bank/field", 0.01)]


def test_with_bases_queries_bases_limits_hold(top: tuple[Git, Path]) -> None:
    plan = planned(top, "base")

    assert share(plan) == 0.01
    assert plan.loosened == ()


def test_a_limit_of_the_command_line_is_not_heads_doing(top: tuple[Git, Path]) -> None:
    plan = planned(top, limits={"instructions": Limit(share=0.02)})

    assert share(plan) == 0.02
    assert plan.loosened == ()
