"""What a team may say: accept a change, record a baseline, limit the drift since it."""

from __future__ import annotations

import json

import pytest

from tests.real.bank import CONFIG, Repository, again, bank
from tests.real.test_compare import deltas, statuses

pytestmark = pytest.mark.slow

DRIFT = CONFIG + '[limits]\ndrift = "2%"\n'


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    return bank(tmp_path_factory.mktemp("bank"))


@pytest.fixture
def repository(made: Repository) -> Repository:
    return again(made)


def slower(repository: Repository, trailer: str, steps: int = 1020) -> None:
    repository.edit(
        f"Slower\n\nCountci-Accept: {trailer}", "FIELD_STEPS = 1000", f"FIELD_STEPS = {steps}"
    )


def test_what_a_commit_accepts_passes_and_is_printed(repository: Repository) -> None:
    slower(repository, "bank/field instructions +2.5% because the index is rebuilt")

    ended = repository.countci("compare", "HEAD~1", "HEAD", "--no-time")

    assert ended.code == 0, ended.out + ended.err
    assert "because the index is rebuilt" in " ".join(ended.out.split())
    assert "1 accepted" in ended.out


def test_beyond_the_accepted_value_it_still_fails(repository: Repository) -> None:
    slower(repository, "bank/field instructions +1.5% because the index is rebuilt")

    assert repository.countci("compare", "HEAD~1", "HEAD", "--no-time").code == 1


def test_an_accepted_query_accepts_no_other(repository: Repository) -> None:
    slower(repository, "bank/per_branch instructions +2.5% because I like it")

    assert repository.countci("compare", "HEAD~1", "HEAD", "--no-time").code == 1


def test_nothing_older_than_base_counts(repository: Repository) -> None:
    repository.commit("First\n\nCountci-Accept: bank/field instructions +5% because of old")
    repository.edit("Slower", "FIELD_STEPS = 1000", "FIELD_STEPS = 1020")

    assert repository.countci("compare", "HEAD~1", "HEAD", "--no-time").code == 1


@pytest.mark.parametrize(
    ("trailer", "said"),
    [
        ("bank/fild instructions +2.5% because x", "bank/field"),
        ("bank/field instructions +2.5%", "because REASON"),
    ],
)
def test_a_trailer_that_could_never_work_is_an_error(
    repository: Repository, trailer: str, said: str
) -> None:
    slower(repository, trailer)

    ended = repository.countci("compare", "HEAD~1", "HEAD", "--no-time")

    assert ended.code == 2
    assert said in ended.err


def test_a_recorded_baseline_holds_without_building_the_base(repository: Repository) -> None:
    recorded = repository.countci("baseline", "record")
    (file,) = (repository.top / "baselines").iterdir()
    again = file.read_bytes()
    early = repository.countci("baseline", "check")
    repository.countci("baseline", "record")
    assert file.read_bytes() == again, "the same counts are the same bytes"
    repository.commit("Baseline")
    good = repository.countci("baseline", "check")
    assert deltas(repository) == {"bank/field": 0, "bank/per_branch": 0}
    repository.edit("Slower", "FIELD_STEPS = 1000", "FIELD_STEPS = 1020")
    bad = repository.countci("baseline", "check")

    assert (recorded.code, good.code, bad.code) == (0, 0, 1), good.out + good.err + bad.err
    assert (early.code, "it is not in HEAD yet" in early.err) == (2, True), early.err
    assert statuses(repository) == {"bank/field": "fail", "bank/per_branch": "pass"}


def test_a_baseline_is_checked_at_its_own_asks(repository: Repository) -> None:
    repository.countci("baseline", "record")
    (file,) = (repository.top / "baselines").iterdir()
    known = json.loads(file.read_bytes())
    for query in known["queries"].values():
        query["metrics"]["instructions"]["asks"] = (3, 6, 12)
    file.write_text(json.dumps(known))
    repository.commit("As somebody else chose them")

    ended = repository.countci("baseline", "check")

    assert ended.code == 0, ended.err
    assert "recorded at" not in ended.out  # and counted at others


def test_another_platforms_baseline_is_refused_with_the_remedy(repository: Repository) -> None:
    repository.countci("baseline", "record")
    (file,) = (repository.top / "baselines").iterdir()
    table = json.loads(file.read_text())
    table["fingerprint"]["valgrind"] = "3.1"
    file.write_text(json.dumps(table))
    repository.commit("Baseline of elsewhere")

    ended = repository.countci("baseline", "check")

    assert ended.code == 2
    assert "3.1" in ended.err
    assert "countci baseline record" in ended.err


def test_small_steps_fail_by_the_drift_they_add_up_to(repository: Repository) -> None:
    repository.commit("Limit", countci_dot_toml=DRIFT)
    repository.countci("baseline", "record")
    repository.commit("Baseline")
    codes, shown = [], ""
    for steps in range(1009, 1037, 9):
        repository.edit("A step", f"FIELD_STEPS = {steps - 9}", f"FIELD_STEPS = {steps}")
        ended = repository.countci("compare", "HEAD~1", "HEAD", "--no-time")
        codes.append(ended.code)
        shown = ended.out

    assert codes == [0, 0, 1, 1]
    assert "drift" in shown


def test_no_secret_of_the_environment_is_anywhere_afterwards(repository: Repository) -> None:
    repository.edit("Slower", "FIELD_STEPS = 1000", "FIELD_STEPS = 1020")
    secrets = {name: f"hunter2-{name}" for name in ("GITHUB_TOKEN", "DATABASE_URL", "DEPLOY_KEY")}

    ended = repository.countci("compare", "HEAD~1", "HEAD", "--query", "bank/field", **secrets)

    assert ended.code == 1, ended.err
    kept = [ended.out, ended.err]
    for folder in (repository.top / ".countci", repository.cache):
        kept += [
            path.read_bytes().decode("latin-1") for path in folder.rglob("*") if path.is_file()
        ]
    assert not [text for text in kept if "hunter2" in text]
