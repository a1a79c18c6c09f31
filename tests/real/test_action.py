"""action.yml on GitHub's events, run step by step as the runner does it; real git, real counts."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.events import event
from tests.real.bank import SOURCE
from tests.real.site import TOP, Site, bank_site

pytestmark = pytest.mark.slow


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return bank_site(tmp_path)


@pytest.mark.parametrize(("name", "depth"), [("opened", 2), ("fork", 1)])
def test_a_slower_pull_request_fails_and_says_it_everywhere(
    site: Site, name: str, depth: int
) -> None:
    payload = event(f"pull_request.{name}", head=site.pull, base=site.main)
    job = site.job("pull_request", payload, site.merge, depth=depth)

    ended = job.run(query="bank/field")

    step = ended.step("Compare")
    assert step.code == 1, step.log
    assert ended.status == "failure"
    assert ended.outputs["status"] == "fail"
    assert ended.outputs["failed"] == "bank/field"
    assert "\n::error " in step.log
    assert "bank/field" in ended.summary
    result = job.result(ended)
    assert result["base"]["revision"]["sha"] == site.main
    assert result["head"]["revision"]["sha"] == site.merge
    typed = f"countci compare {site.main} {site.merge} --query=bank/field --no-time"
    assert result["command"] == typed
    assert f"pull request 7 at {site.pull}, merged into {site.main} of main" in [
        notice["text"] for notice in result["notices"]
    ]
    assert job.calls["upload"]["path"] == ended.outputs["result"]
    assert job.calls["upload"]["name"] == "countci"
    assert "save" not in job.calls
    assert "hunter2" not in step.log + json.dumps(result) + ended.summary


def test_a_build_that_fails_leaves_a_result_for_the_comment(site: Site) -> None:
    head = site.hub.commit("Broken", bank_dot_c="int main(\n")
    job = site.job("push", event("push", base=site.main, head=head), head, "refs/heads/main")

    ended = job.run()

    log = ended.step("Compare").log
    assert ended.step("Compare").code == 3, log
    assert ended.outputs["status"] == "error"
    assert job.calls["upload"]["path"] == ended.outputs["result"]
    result = job.result(ended)
    assert result["verdicts"] == []
    assert "bank.c:1" in result["problem"]["detail"]
    assert result["head"]["revision"]["sha"] == head
    assert ended.summary.count("### countci: error") == 1
    assert log.count("::error ") == 1


def test_a_stale_test_merge_is_an_error_and_no_verdict(site: Site) -> None:
    newer = "d" * 40
    payload = event("pull_request.synchronize", head=newer, base=site.main)

    job = site.job("pull_request", payload, site.merge)
    ended = job.run()

    assert ended.step("Compare").code == 3
    assert ended.outputs["status"] == "error"
    assert ended.outputs["result"] == ""
    assert "stale test merge" in ended.summary
    assert "::error title=countci%3A error::" in ended.step("Compare").log
    assert not ended.step("Upload the result").ran


def test_the_merge_queue_measures_an_entry_against_the_one_before(site: Site) -> None:
    group = site.hub.merge(site.pull, site.hub.commit("Nothing"), "refs/heads/gh-readonly-queue/1")
    payload = event("merge_group", group=group, base=site.pull)
    job = site.job("merge_group", payload, group, "refs/heads/gh-readonly-queue/1")

    ended = job.run()

    assert ended.step("Compare").code == 0, ended.step("Compare").log
    assert ended.outputs["status"] == "pass"
    assert job.result(ended)["base"]["revision"]["sha"] == site.pull
    assert "save" not in job.calls


def test_a_push_saves_its_counts_and_the_next_run_knows_them(site: Site) -> None:
    site.hub.commit("Faster", bank_dot_c=SOURCE.replace("STEPS = 1000", "STEPS = 980", 1))
    first = site.hub.git("rev-parse", "main")
    pushed = site.job("push", event("push", base=site.main, head=first), first, "refs/heads/main")

    ended = pushed.run()
    assert ended.step("Compare").code == 0, ended.step("Compare").log
    assert pushed.calls["save"]["path"] == pushed.calls["restore"]["path"]
    assert pushed.calls["save"]["key"].startswith(pushed.calls["restore"]["restore-keys"].strip())

    # A store is good for one place only, and every job of a label is at the same one.
    shutil.rmtree(pushed.runner.temporary / "countci/cache")
    again = pushed.again()
    assert site.saved.exists()
    ended = again.run()
    (comparison,) = again.result(ended)["comparisons"]
    assert comparison["base"]["stored"]
    assert comparison["head"]["stored"]


def test_a_push_to_another_branch_saves_nothing(site: Site) -> None:
    payload = event("push.new-branch", head=site.pull)
    job = site.job("push", payload, site.pull, "refs/heads/topic", depth=1)

    ended = job.run()

    assert ended.step("Compare").code == 1, ended.step("Compare").log
    assert job.result(ended)["base"]["revision"]["sha"] == site.main
    assert "save" not in job.calls


@pytest.mark.parametrize(
    ("name", "file", "said", "code"),
    [
        ("push", "push.deleted", "was deleted", 2),
        ("push", "push.forced", "the push was forced", 3),
        ("workflow_dispatch", "workflow_dispatch", "names no base", 2),
        ("schedule", "schedule", "names no base", 2),
        ("pull_request_target", "pull_request.fork", "secrets", 2),
        ("workflow_run", "schedule", "secrets", 2),
        ("issue_comment", "schedule", "doesn't know", 2),
    ],
)
def test_what_can_not_be_compared_is_an_error_with_its_reason(
    site: Site, name: str, file: str, said: str, code: int
) -> None:
    job = site.job(name, event(file, head=site.main), site.main, "refs/heads/main")

    ended = job.run()

    assert ended.step("Compare").code == code, ended.step("Compare").log
    assert said in ended.step("Compare").log
    assert ended.outputs["status"] == "error"
    assert said in ended.summary
    assert "save" not in job.calls


def test_a_dispatch_goes_by_its_inputs(site: Site) -> None:
    site.hub.git("tag", "v1", site.main)
    head = site.hub.commit("Words", README_dot_md="a bank\n")
    job = site.job(
        "workflow_dispatch", event("workflow_dispatch"), head, "refs/heads/main", depth=1
    )

    ended = job.run(base="v1")

    assert ended.step("Compare").code == 0, ended.step("Compare").log
    assert job.result(ended)["base"]["revision"]["sha"] == site.main
    assert ended.outputs["status"] == "pass"


HOSTILE = '"; touch pwned; echo "$(touch pwned)`touch pwned`\n::error::pwned\n##[error]pwned'


@pytest.mark.parametrize(
    "name", ["base", "head", "query", "limit", "config", "max_time", "jobs", "shard", "name"]
)
def test_a_hostile_input_stays_text(site: Site, name: str) -> None:
    payload = event("pull_request.opened", head=site.pull, base=site.main)
    job = site.job("pull_request", payload, site.merge)

    ended = job.run(**{"base": "HEAD", name: HOSTILE})

    log = ended.step("Compare").log
    assert ended.step("Compare").code == 2, log
    assert not list(site.folder.rglob("pwned"))
    assert "\n::error::pwned" not in log
    assert "##[error]pwned" not in log
    assert "Traceback" not in log
    assert ended.outputs["status"] == "error"


def test_a_cancel_reaches_countci_and_nothing_lives_on(site: Site) -> None:
    site.hub.commit("It waits", queries__bank_dot_toml='[query.waits]\ncommand = "sleep 4712"\n')
    head = site.hub.git("rev-parse", "main")
    job = site.job("push", event("push", base=site.main, head=head), head, "refs/heads/main")
    job.runner.cancel = lambda: bool(sleeping())

    ended = job.run()

    assert ended.status == "cancelled"
    assert ended.step("Compare").code == 130, ended.step("Compare").log
    assert "interrupted" in ended.step("Compare").log
    assert not sleeping()


def sleeping() -> list[str]:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if b"sleep" in b" ".join(words) and b"4712" in words:
            found.append(str(path))
    return found


def test_the_action_installs_its_own_checkout_by_digests(site: Site) -> None:
    job = site.job("schedule", event("schedule"), site.main, "refs/heads/main")

    job.run()

    first, second = (job.runner.temporary / "installed").read_text().splitlines()
    assert f"--require-hashes --only-binary :all: --requirement {TOP}/.github/requirements" in first
    assert f"--no-deps --no-build-isolation --no-index {TOP}" in second
