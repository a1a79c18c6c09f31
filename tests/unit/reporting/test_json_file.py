from __future__ import annotations

import contextlib
import json

import jsonschema
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci.errors import UsageError
from countci.model import Report
from countci.reporting import Look, read, schema
from countci.reporting.json_file import VERSION, Json
from tests.conftest import Golden
from tests.reports import FAILED, PASSED, REPORTS, work
from tests.unit.reporting.test_reporters import HOSTILE, hostile


def written(shown: Report) -> bytes:
    return Json().render(shown, Look(width=80, colour=False)).encode()


def changed(**keys: object) -> bytes:
    return json.dumps({**json.loads(written(PASSED)), **keys}).encode()


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_is_read_back_as_it_was_written(name: str) -> None:
    assert read(written(REPORTS[name]), name="result.json") == REPORTS[name]


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_is_as_the_schema_says(name: str) -> None:
    jsonschema.Draft202012Validator(json.loads(schema())).validate(
        json.loads(written(REPORTS[name]))
    )


def test_the_schema_refuses_what_is_no_report() -> None:
    judge = jsonschema.Draft202012Validator(json.loads(schema()))

    assert not judge.is_valid(json.loads(changed(schema=VERSION + 1)))
    assert not judge.is_valid(json.loads(changed(extra=1)))
    assert not judge.is_valid(json.loads(changed(status="green")))


def test_the_published_schema_is_the_one_that_is_written(golden: Golden) -> None:
    golden(f"docs/schema/report-{VERSION}.json", schema().decode())


def test_the_version_is_the_one_that_the_model_writes() -> None:
    assert PASSED.schema == VERSION


@pytest.mark.parametrize("text", [text for name, text in HOSTILE.items() if name != "surrogate"])
def test_any_name_comes_back_whole_from_plain_ascii(text: str) -> None:
    data = written(hostile(text))

    assert data.isascii()
    assert json.loads(data)["command"] == text


def test_a_name_that_is_no_utf_8_can_be_read_again() -> None:
    data = written(msgspec.structs.replace(PASSED, command="caf\udce9"))

    assert read(data, name="result.json").command == "caf\ufffd"


def test_a_number_that_is_not_finite_is_never_written() -> None:
    change = msgspec.structs.replace(work(1, 1), noise=float("inf"))
    judged = msgspec.structs.replace(PASSED.verdicts[0], changes=(change,))

    with pytest.raises(ValueError, match="not JSON compliant"):
        written(msgspec.structs.replace(PASSED, verdicts=(judged, *PASSED.verdicts[1:])))


@pytest.mark.parametrize(
    ("data", "where", "problem"),
    [
        (changed(schema=2), "r.json", "schema 2; this countci reads schema 1"),
        (changed(extra=1), "r.json", "not a report: object contains unknown field `extra`"),
        (changed(seconds="long"), "r.json: $.seconds", "expected `float`, got `str`"),
        (changed(verdicts=[]), "r.json", "name different queries"),
        (b'{"schema": 1}', "r.json", "missing required field `countci`"),
        (b"{}", "r.json", "missing required field `schema`"),
        (b"[1]", "r.json", "expected `object`, got `array`"),
        (b"", "r.json", "not JSON"),
        (b'{"schema": 1, "seconds": NaN}', "r.json", "not JSON"),
        (b"\xff\xfe", "r.json", "not JSON"),
        (b"[" * 100_000, "r.json", "not"),
    ],
    ids=str,
)
def test_what_is_wrong_is_named_with_its_place(data: bytes, where: str, problem: str) -> None:
    with pytest.raises(UsageError) as caught:
        read(data, name="r.json")

    assert caught.value.where == where
    assert problem in caught.value.problem


def test_a_huge_number_is_no_way_to_smuggle_in_an_infinity() -> None:
    data = changed(seconds=1.0).replace(b'"seconds": 1.0', b'"seconds": 1e999')

    with pytest.raises(UsageError):
        read(data, name="r.json")


@given(st.data())
def test_a_damaged_file_is_an_error_or_another_report_never_a_traceback(
    data: st.DataObject,
) -> None:
    whole = written(FAILED)
    at = data.draw(st.integers(0, len(whole) - 1))
    damaged = data.draw(
        st.sampled_from(
            [whole[:at], whole[:at] + b"\x00" + whole[at + 1 :], whole[at:] + whole[:at]]
        )
    )

    with contextlib.suppress(UsageError):
        assert isinstance(read(damaged, name="r.json"), Report)
