from __future__ import annotations

from pathlib import Path

from countci.inside.session import _root


def test_a_configuration_that_lies_elsewhere_does_not_lead_pytest_out_of_the_project() -> None:
    assert _root(Path("/project"), ["-c", "/dev/null", "tests"]) == (
        "--rootdir=/project",
        "--confcutdir=/project",
    )


def test_without_one_pytest_finds_its_own_root() -> None:
    assert _root(Path("/project"), ["tests"]) == ()
