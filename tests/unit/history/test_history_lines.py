from __future__ import annotations

from countci.history.lines import Before, Line, every
from countci.history.log import _last
from tests.histories import commit

LINE = [commit(number) for number in range(1, 9)]


def numbers(found: tuple[object, ...]) -> list[int]:
    return [LINE.index(each) + 1 for each in found if each in LINE]


def test_each_third_commit_is_counted_back_from_the_end() -> None:
    assert numbers(every(LINE, 3)) == [1, 2, 5, 8]


def test_the_first_one_is_not_taken_twice() -> None:
    assert numbers(every(LINE[:7], 3)) == [1, 4, 7]


def test_each_commit_is_every_commit() -> None:
    assert every(LINE, 1) == tuple(LINE)


def test_what_came_before_is_the_nearest_that_was_measured() -> None:
    measured = {LINE[1].sha, LINE[4].sha}

    found = Line(LINE).before(LINE[4], measured)

    assert found == Before(LINE[1].sha, (LINE[2], LINE[3]))


def test_before_the_first_there_is_nothing() -> None:
    assert Line(LINE).before(LINE[0], {each.sha for each in LINE}) is None


def test_nothing_measured_before_is_nothing() -> None:
    assert Line(LINE).before(LINE[5], set()) is None


def test_what_came_before_a_merge_is_on_its_first_parents_side() -> None:
    main, branch = commit(2), commit(3, 1)
    merge = commit(4, 2, 3)
    line = Line([commit(1), main, branch, merge])

    found = line.before(merge, {each.sha for each in (commit(1), main, branch)})

    assert found == Before(main.sha, ())


def test_a_range_that_nobody_named_says_how_far_it_goes() -> None:
    assert _last(21) == "the last 20 commits and the one before"
    assert _last(10) == "all commits"
