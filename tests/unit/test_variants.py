from __future__ import annotations

from pathlib import Path

import pytest

from countci import ordering, planning
from countci.errors import UsageError
from countci.job import Job
from countci.planning import Plan
from tests.unit.revisions.conftest import Git

CONFIG = """
build = ["make"]
[variant.evented]
env.EVENT = "1"
[variant.threaded]
env.EVENT = "0"
[variant.fast]
build = ["make fast"]
[variant.flag]
args = ["--flag"]
"""
QUERIES = '[query.field]\ncommand = "./bank {n}"\n[query.call]\nkind = "python"\nfunction = "a:b"\n'


@pytest.fixture
def git(tmp_path: Path) -> Git:
    return Git(tmp_path / "home")


@pytest.fixture
def top(tmp_path: Path, git: Git) -> Path:
    at = git.init(tmp_path / "project")
    git.commit(at, "First", {"countci.toml": CONFIG, "queries/bank.toml": QUERIES})
    git.commit(at, "Second", {"a.txt": "2\n"})
    return at


def job(git: Git, top: Path, base: str, head: str | None) -> Job:
    return Job(where=top, env=git.env, base=base, head=head, cache_dir=top.parent / "cache")


def plan(git: Git, top: Path, base: str, head: str) -> Plan:
    return planning.plan(job(git, top, base, head))


def keys(git: Git, top: Path, base: str, head: str) -> tuple[str, str]:
    asked = job(git, top, base, head)
    orders = ordering.orders(asked, planning.plan(asked))
    return orders.base.key, orders.head.key


def names(found: Plan) -> list[str | None]:
    sides = found.variants.base, found.variants.head
    return [None if each is None else each.name for each in sides]


def test_two_variants_of_one_revision_are_two_sides(git: Git, top: Path) -> None:
    found = plan(git, top, "HEAD+threaded", "HEAD+evented")

    assert names(found) == ["threaded", "evented"]
    assert found.base.sha == found.head.sha
    assert [found.base.name, found.head.name] == ["HEAD+threaded", "HEAD+evented"]


def test_a_side_without_a_variant_has_none(git: Git, top: Path) -> None:
    assert names(plan(git, top, "HEAD~1", "HEAD")) == [None, None]
    assert names(plan(git, top, "HEAD~1", "main+evented")) == [None, "evented"]


def test_uncommitted_work_is_compared_with_a_variant(git: Git, top: Path) -> None:
    (top / "a.txt").write_text("3\n")
    asked = job(git, top, "HEAD+evented", None)
    found = planning.plan(
        Job(where=top, env=git.env, base=asked.base, worktree=True, cache_dir=asked.cache_dir)
    )

    assert names(found) == ["evented", None]


def test_variants_that_only_differ_in_their_environment_share_a_build(git: Git, top: Path) -> None:
    base, head = keys(git, top, "HEAD+threaded", "HEAD+evented")

    assert base == head == keys(git, top, "HEAD", "HEAD")[0]


def test_a_variant_with_commands_of_its_own_is_another_build(git: Git, top: Path) -> None:
    asked = job(git, top, "HEAD", "HEAD+fast")
    orders = ordering.orders(asked, planning.plan(asked))

    assert orders.base.key != orders.head.key
    assert orders.base.recipe.commands == ("make",)
    assert orders.head.recipe.commands == ("make fast",)
    assert orders.head.variant is not None


def test_a_ref_with_a_plus_in_its_name_is_that_ref(git: Git, top: Path) -> None:
    git(top, "tag", "v1.0+local", "HEAD~1")

    found = plan(git, top, "v1.0+local", "v1.0+local+evented")

    assert names(found) == [None, "evented"]
    assert found.base.sha == found.head.sha


def test_a_name_that_means_two_things_is_refused_and_each_can_be_written(
    git: Git, top: Path
) -> None:
    git(top, "branch", "main+evented", "HEAD~1")

    with pytest.raises(UsageError, match="git knows a commit of this name") as caught:
        plan(git, top, "HEAD~1", "main+evented")

    assert "main+evented~0 for the commit, main~0+evented for the variant" in caught.value.detail
    assert names(plan(git, top, "main+evented~0", "main~0+evented")) == [None, "evented"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("HEAD+evnted", 'did you mean "evented"?'),
        ("HEAD+evnted", "there are evented, threaded, fast, flag in countci.toml of head"),
        ("mian+evented", "mian: no such commit, branch or tag"),
        ("+evented", "+evented: no such commit, branch or tag"),
    ],
)
def test_a_slip_in_a_name_says_what_there_is(git: Git, top: Path, name: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        plan(git, top, name, "HEAD")

    assert said in str(caught.value)


def test_variants_are_those_of_heads_configuration(git: Git, top: Path) -> None:
    git.commit(top, "Third", {"countci.toml": 'build = ["make"]\n'})

    with pytest.raises(UsageError, match="nor is there a variant 'evented'"):
        plan(git, top, "HEAD~1+evented", "HEAD")
    assert names(plan(git, top, "HEAD+evented", "HEAD~1")) == ["evented", None]


def test_the_report_tells_which_queries_args_do_not_reach(git: Git, top: Path) -> None:
    told = [each.text for each in plan(git, top, "HEAD", "HEAD+flag").notices]

    assert told == ["args of the variant flag don't reach bank/call: no command"]
    assert plan(git, top, "HEAD", "HEAD+evented").notices == ()


def test_many_commits_have_no_variant(git: Git, top: Path) -> None:
    asked = job(git, top, "HEAD", "HEAD+evented")

    with pytest.raises(UsageError, match="a variant is one side of a comparison"):
        ordering.of_any(asked, planning.plan(asked))
