"""`countci github comment` from its environment to the comment, with GitHub's stand-in."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from countci.cli.comment import comment
from countci.errors import UsageError
from countci.model import Reason, Report, Shard
from countci.reporting import REPORTERS, Look
from countci.reporting.github import attempt_of, mark
from tests.events import event
from tests.github_api import BAD_CREDENTIALS, PULL, READ_ONLY, GitHub
from tests.reports import EXPLAINED, FAILED, PASSED, UNSETTLED
from tests.unit.reporting.test_markdown import OURS, bare, html, tags
from tests.unit.reporting.test_reporters import HOSTILE, hostile, obeyed

TOKEN = "ghs_hunter2"  # noqa: S105 - nobody's
OLD = f"{mark('countci', '9000.1')}\nold"


def written(report: Report) -> bytes:
    return REPORTERS["json"].render(report, Look(width=80, colour=False)).encode()


@dataclass
class Job:
    """A job that comments on what another run left."""

    api: GitHub
    folder: Path
    env: dict[str, str] = field(default_factory=dict)

    def given(self, name: str, payload: bytes, **env: str) -> None:
        """Start on this event."""
        file = self.folder / "event.json"
        file.write_bytes(payload)
        self.env = {
            "GITHUB_ACTIONS": "true",
            "GITHUB_EVENT_NAME": name,
            "GITHUB_EVENT_PATH": str(file),
            "GITHUB_API_URL": self.api.url,
            "GITHUB_SERVER_URL": "https://github.com",
            "GITHUB_REPOSITORY": "savings/bank",
            "GITHUB_RUN_ID": "9050",
            "GITHUB_RUN_ATTEMPT": "1",
            "COUNTCI_TOKEN": TOKEN,
            **env,
        }

    def run(self, result: Report | bytes) -> str:
        """Return what the step prints; it always ends well."""
        artifact = self.folder / "artifact"
        artifact.mkdir(exist_ok=True)
        data = result if isinstance(result, bytes) else written(result)
        (artifact / "result.json").write_bytes(data)
        ended = CliRunner().invoke(
            comment, [str(artifact)], env=dict(self.env), standalone_mode=False
        )
        if ended.exception:
            raise ended.exception
        assert ended.return_value == 0
        assert TOKEN not in ended.output
        return ended.output


@pytest.fixture
def job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Job]:
    monkeypatch.setattr("time.sleep", lambda _seconds: None)
    with GitHub() as api:
        made = Job(api=api, folder=tmp_path)
        made.given("workflow_run", event("workflow_run.fork"))
        yield made


def changed(**changes: Any) -> bytes:  # noqa: ANN401
    payload = json.loads(event("workflow_run.fork"))
    payload["workflow_run"] |= changes
    return json.dumps(payload).encode()


def test_a_forks_slower_pull_request_gets_a_comment_and_keeps_it(job: Job) -> None:
    assert job.run(EXPLAINED) == "pull request 7: comment created\n"
    job.given("workflow_run", changed(id=9010))

    assert job.run(PASSED) == "pull request 7: comment 1 edited\n"

    (body,) = job.api.bodies
    assert attempt_of(body, "countci") == (9010, 2)
    assert "### countci: pass" in body
    assert job.api.tokens == {f"Bearer {TOKEN}"}


def test_the_comment_links_to_the_commit_and_the_run_that_github_names(job: Job) -> None:
    job.run(EXPLAINED)

    (body,) = job.api.bodies
    assert f"https://github.com/savings/bank/blob/{'a' * 40}/src/scan.c" in body
    assert "https://github.com/savings/bank/actions/runs/9001" in body
    assert body.endswith("has measured again.\n")


@pytest.mark.parametrize(
    ("report", "when", "said"),
    [
        (PASSED, "", False),
        (PASSED, "when-needed", False),
        (PASSED, "always", True),
        (UNSETTLED, "when-needed", True),
        (msgspec.structs.replace(UNSETTLED, unsettled_passes=True), "when-needed", False),
        (FAILED, "when-needed", True),
        (FAILED, "never", False),
    ],
)
def test_a_comment_is_made_only_where_there_is_something_to_say(
    job: Job, report: Report, when: str, *, said: bool
) -> None:
    job.env["COUNTCI_COMMENT"] = when

    job.run(report)

    assert bool(job.api.bodies) == said
    assert bool(job.api.log) == (when != "never")


def test_a_pull_request_of_the_repository_itself_is_commented_on_by_its_own_job(job: Job) -> None:
    head = {"sha": "a" * 40, "ref": "faster", "label": "savings:faster", "repo": {"id": 4100}}
    job.api.pulls = [{**PULL, "head": head}]
    job.given("pull_request", event("pull_request.opened"))

    job.run(FAILED)

    (body,) = job.api.bodies
    assert attempt_of(body, "countci") == (9050, 1)
    assert "A fork controls" not in body


def test_a_forks_own_job_asks_nothing(job: Job) -> None:
    job.given("pull_request", event("pull_request.fork"))

    assert "may only read" in job.run(FAILED)
    assert job.api.log == []


def test_a_run_that_was_pushed_over_says_so_and_comments_nothing(job: Job) -> None:
    job.given("workflow_run", changed(head_sha="d" * 40))

    assert "no open pull request is at dddd" in job.run(FAILED)
    assert job.api.bodies == []


def test_of_two_pull_requests_of_one_commit_the_report_says_which(job: Job) -> None:
    job.api.pulls.insert(0, {**PULL, "number": 8, "base": {"ref": "stable"}})
    notice = Reason(code="test-merge", text="pull request 7 at aaaa, merged into bbbb of main")

    assert "the report names none" in job.run(FAILED)
    assert job.run(msgspec.structs.replace(FAILED, notices=(notice,))).startswith("pull request 7")


def test_a_shards_part_is_not_commented_on(job: Job) -> None:
    shard = Shard(number=1, count=2, queries=(), every=(), asked="")

    assert "of one shard" in job.run(msgspec.structs.replace(FAILED, shard=shard))
    assert job.api.log == []


def test_two_comments_of_different_names_dont_meet(job: Job) -> None:
    job.api.add(OLD)
    job.env["COUNTCI_NAME"] = "speed"

    job.run(FAILED)

    assert job.api.bodies[0] == OLD
    assert job.api.bodies[1].startswith("<!-- countci:v1 speed 9001.2 -->\n")


def test_another_app_finds_its_own_comment(job: Job) -> None:
    number = job.api.add(OLD, {"login": "perf[bot]", "type": "Bot"})
    job.env["COUNTCI_AUTHOR"] = "perf[bot]"

    assert job.run(FAILED) == f"pull request 7: comment {number} edited\n"


@pytest.mark.parametrize(
    ("method", "canned"), [("GET", BAD_CREDENTIALS), ("POST", READ_ONLY)], ids=["list", "create"]
)
def test_a_comment_that_fails_is_a_notice(job: Job, method: str, canned: Any) -> None:  # noqa: ANN401
    job.api.script_once(method, canned)

    (line,) = job.run(FAILED).splitlines()

    assert line.startswith("::notice title=countci%3A no comment::")
    assert canned.body["message"] in line


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"schema": 1, "x": "::error::"}',
        written(FAILED).replace(b'"schema": 1', b'"schema": 1, "more": 0', 1),
        written(FAILED).replace(b'"seconds": ', b'"seconds": NaN, "x": ', 1),
        written(FAILED).replace(b'"seconds": ', b'"seconds": 1e999, "x": ', 1),
        written(FAILED) + b"{}",
        b" " * (5 * 2**20 + 1),
    ],
    ids=[
        *("nothing", "a list", "no text", "deep", "another schema", "one key more"),
        *("not a number", "infinite", "two", "too large"),
    ],
)
def test_what_is_not_exactly_a_report_is_a_notice_and_nothing_is_asked(
    job: Job, data: bytes
) -> None:
    (line,) = job.run(data).splitlines()

    assert line.startswith("::notice title=countci%3A no comment::")
    assert job.api.log == []


@pytest.mark.parametrize("text", [HOSTILE[name] for name in HOSTILE if name != "surrogate"])
def test_a_hostile_artifact_is_no_ping_no_link_no_markup_and_no_command(
    job: Job, text: str
) -> None:
    printed = job.run(hostile(text))

    (body,) = job.api.bodies
    first, _, shown = body.partition("\n")
    assert first == "<!-- countci:v1 countci 9001.2 -->"
    page = html(shown)
    ours = (
        f"https://github.com/savings/bank/(actions/runs/9001|blob/{'a' * 40}/[^.][^:?#]*#L[^:?#]*)"
    )
    for address in re.findall('href="([^"]*)"', page):
        assert re.fullmatch(ours, address), address
    assert tags(page) - {"a"} <= OURS
    assert not re.search(r"[@#]\w|GH-\d|://|www\.", bare(page))
    assert not obeyed(printed)
    assert len(body) < 65536


def test_a_report_that_cant_be_shown_is_a_notice(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> str:
        raise OverflowError("foreign text")

    monkeypatch.setattr("countci.reporting.github.comment", fail)

    assert "can't be shown: OverflowError" in job.run(FAILED)
    assert job.api.log == []


def test_a_notice_with_foreign_text_is_one_command(job: Job) -> None:
    data = written(FAILED).replace(
        b'"status": "error"', b'"status": "x\\n::error::y ##[error]z"', 1
    )

    assert len(obeyed(job.run(data))) == 1


@pytest.mark.parametrize(
    ("env", "where"),
    [
        ({"COUNTCI_COMMENT": "sometimes"}, "with: comment"),
        ({"COUNTCI_TOKEN": ""}, "with: token"),
        ({"COUNTCI_TOKEN": "ghs\nx: y"}, "with: token"),
        ({"COUNTCI_NAME": "a--b"}, "with: name"),
        ({"GITHUB_API_URL": "http://api.github.example"}, "http://api.github.example"),
        ({"GITHUB_REPOSITORY": ""}, "GITHUB_REPOSITORY"),
        ({"GITHUB_EVENT_NAME": "push"}, "push"),
    ],
)
def test_slips_of_who_wrote_the_workflow_are_errors(
    job: Job, env: Mapping[str, str], where: str
) -> None:
    job.env |= env

    with pytest.raises(UsageError) as caught:
        job.run(FAILED)
    assert caught.value.where == where
    assert job.api.log == []
