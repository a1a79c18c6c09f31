from __future__ import annotations

import msgspec
import pytest

from countci.reporting.github import output_lines, outputs
from tests.reports import FAILED, PASSED
from tests.unit.reporting.test_reporters import obeyed


def read(text: str) -> dict[str, str]:
    """Return the outputs as the runner reads them, by the rules of FileCommandManager.cs."""
    found, lines = {}, iter(text.split("\n")[:-1])
    for line in lines:
        name, between, delimiter = line.partition("<<")
        assert between
        assert "=" not in name
        value = []
        for inner in lines:
            if inner == delimiter:
                break
            value.append(inner)
        else:
            pytest.fail("the delimiter is missing")
        found[name] = "\n".join(value)
    return found


def test_outputs_name_status_failed_queries_and_the_report() -> None:
    found = read(output_lines(outputs(FAILED, result="out/result.json"), "d" * 32))

    assert found["status"] == "error"
    assert found["failed"].split("\n") == ["bank/field", "bank/per_branch", "bank/old"]
    assert found["report"] == "out/result.json"
    assert found["summary"].startswith("1 of 8 queries was not measured")


def test_nothing_failed_is_an_empty_output() -> None:
    assert read(output_lines(outputs(PASSED, result="r"), "d" * 32))["failed"] == ""


def test_a_name_makes_no_output_of_its_own() -> None:
    delimiter = "e" * 32
    verdict = msgspec.structs.replace(
        FAILED.verdicts[0], query="##[error]x\nstatus=pass\nEOF\na<<EOF"
    )
    hostile = msgspec.structs.replace(FAILED, verdicts=(verdict,))

    found = read(output_lines(outputs(hostile, result="r"), delimiter))

    assert found["status"] == "error"
    assert "\n" not in found["failed"]
    assert not obeyed(found["failed"])
    assert set(found) == {"status", "summary", "failed", "report"}


def test_a_value_that_holds_the_delimiter_is_refused() -> None:
    with pytest.raises(ValueError, match="delimiter"):
        output_lines({"a": "x\nEOF\n"}, "EOF")
