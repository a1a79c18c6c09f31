"""Two jobs that measure half of the queries each, and the action that joins them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.actions import Ended
from tests.events import event
from tests.real.site import TOP, Job, bank_site

pytestmark = pytest.mark.slow

MERGE = TOP / ".github/actions/merge"
SUITE = """
[query.field]
command = "./bank field {n}"
metrics = ["instructions"]
[query.per_branch]
command = "./bank per_branch {n}"
metrics = ["instructions"]
"""


@dataclass
class Shards:
    """What the measuring jobs left behind."""

    job: Job
    ended: tuple[Ended, ...]
    artifacts: Mapping[str, Path]

    def merge(self, measured: str, *names: str, **inputs: str) -> tuple[Job, Ended]:
        """Join the artifacts of these names, or all of them."""
        shutil.rmtree(self.job.runner.temporary / "countci/shards", ignore_errors=True)

        def download(given: Mapping[str, str]) -> Mapping[str, str]:
            assert given["pattern"].endswith("-+([0-9])-of-2")
            other = {"countci-arm-1-of-2": next(iter(self.artifacts.values()))}  # is not ours
            ours = {name: self.artifacts[name] for name in names or self.artifacts}
            for name, result in {**ours, **other}.items():
                folder = Path(given["path"]) / name
                folder.mkdir(parents=True)
                shutil.copy(result, folder / "result.json")
            return {}

        job = self.job.again(MERGE)
        job.runner.uses = {**job.runner.uses, "actions/download-artifact": download}
        return job, job.runner.run(expect="2", measured=measured, **inputs)


def measured(folder: Path, *, slower: bool) -> Shards:
    site = bank_site(folder, SUITE)
    head = site.pull if slower else site.hub.commit("Words", README_dot_md="a bank\n")
    ref = "refs/heads/topic" if slower else "refs/heads/main"
    job = site.job("push", event("push", base=site.main, head=head), head, ref)
    ended, artifacts = [], {}
    for number in (1, 2):
        shard = job.again()
        ended.append(shard.run(shard=f"{number}/2"))
        artifacts[shard.calls["upload"]["name"]] = folder / f"{number}.json"
        shutil.copy(ended[-1].outputs["result"], folder / f"{number}.json")
    return Shards(job=job, ended=tuple(ended), artifacts=artifacts)


@pytest.fixture(scope="module")
def equal(tmp_path_factory: pytest.TempPathFactory) -> Shards:
    """Return shards of two commits that don't differ in what the queries read."""
    return measured(tmp_path_factory.mktemp("equal"), slower=False)


def test_the_shards_of_a_slower_push_are_one_report(tmp_path: Path) -> None:
    shards = measured(tmp_path, slower=True)

    job, ended = shards.merge("failure")

    step = ended.step("Merge")
    assert step.code == 1, step.log
    assert ended.outputs["status"] == "fail"
    assert "bank/field" in ended.summary
    assert "\n::error " in step.log
    result = job.result(ended)
    assert [each["query"] for each in result["verdicts"]] == ["bank/field", "bank/per_branch"]
    assert result["command"].endswith("--no-time")
    assert job.calls["upload"]["name"] == "countci"


def test_a_shard_leaves_an_artifact_and_shows_nothing_itself(equal: Shards) -> None:
    assert list(equal.artifacts) == ["countci-1-of-2", "countci-2-of-2"]
    for ended in equal.ended:
        assert ended.outputs["status"] == "pass", ended.step("Compare").log
        assert ended.summary == ""
    queries = [
        [each["query"] for each in json.loads(path.read_text())["verdicts"]]
        for path in equal.artifacts.values()
    ]
    assert sorted(name for half in queries for name in half) == ["bank/field", "bank/per_branch"]


def test_all_shards_that_pass_are_green(equal: Shards) -> None:
    _, ended = equal.merge("success")

    assert ended.step("Merge").code == 0, ended.step("Merge").log
    assert ended.outputs["status"] == "pass"


def test_a_missing_shard_is_never_green(equal: Shards) -> None:
    _, ended = equal.merge("success", "countci-1-of-2")

    assert ended.step("Merge").code == 3, ended.step("Merge").log
    assert ended.outputs["status"] == "error"
    assert not ended.step("Upload the result").ran


@pytest.mark.parametrize("result", ["failure", "cancelled", "skipped", ""])
def test_a_measuring_job_that_went_wrong_is_never_green(equal: Shards, result: str) -> None:
    _, ended = equal.merge(result)

    assert ended.step("Merge").code == 3, ended.step("Merge").log
    assert ended.outputs["status"] == "error"


@pytest.mark.parametrize("name", ["..", "", "a/b", '"; touch pwned; "', "a\n::error::pwned"])
def test_a_name_that_is_a_path_or_worse_touches_nothing(equal: Shards, name: str) -> None:
    _, ended = equal.merge("success", name=name)

    assert ended.step("Merge").code == 3, ended.step("Merge").log
    assert "pwned" not in ended.step("Merge").log
    assert (equal.job.runner.temporary / "countci/venv/bin/countci").exists()
