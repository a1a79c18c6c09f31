"""Errors: their codes, and how they read."""

from __future__ import annotations

import pytest

from countci import errors
from countci.errors import CountciError, Interrupted, MeasureError, UsageError


def test_each_error_has_its_own_exit_code() -> None:
    kinds: list[type[CountciError]] = [CountciError, *CountciError.__subclasses__()]
    codes = [kind.exit_code for kind in kinds]

    assert sorted(codes) == sorted(set(codes))


def test_exit_codes_are_those_that_users_rely_on() -> None:
    assert CountciError.exit_code == 70
    assert UsageError.exit_code == 2
    assert MeasureError.exit_code == 3
    assert Interrupted.exit_code == 130


def test_nothing_that_goes_on_after_an_error_goes_on_after_an_interruption() -> None:
    assert issubclass(Interrupted, KeyboardInterrupt)
    assert not issubclass(Interrupted, Exception)


@pytest.mark.parametrize("error", [CountciError, *CountciError.__subclasses__()])
def test_each_exit_code_is_explained(error: type[CountciError]) -> None:
    assert f"\n    {error.exit_code:<4}" in (errors.__doc__ or "")


def test_error_reads_as_place_problem_and_what_to_do() -> None:
    error = UsageError(
        "no such key", where="countci.toml:3", detail='did you mean "build"?\nor not'
    )

    assert str(error) == 'countci.toml:3: no such key\n  did you mean "build"?\n  or not'


def test_error_without_place_and_detail_is_one_line() -> None:
    assert str(MeasureError("git is missing")) == "git is missing"


def test_parts_are_kept_apart_for_each_reporter() -> None:
    error = MeasureError("exit status 1", where="make", detail="no rule")

    assert (error.problem, error.where, error.detail) == ("exit status 1", "make", "no rule")
