from __future__ import annotations

import pytest

from countci.model import CauseKind, Explanation
from tests.unit.explaining.python.asked import edited, explained

SHOP = '''"""A shop."""

FACTOR = 3

def price(item):
    return item * FACTOR

def taxed(item):
    return price(item) + 1

def total(items):
    result = 0
    for item in items:
        result += taxed(item)
    return result

def unused(item):
    return item

def ask():
    return total(range(20))
'''


def of(*pairs: tuple[str, str], more: float = 10_000.0) -> Explanation:
    base, head = {"shop.py": SHOP}, {"shop.py": edited(SHOP, *pairs)}
    return explained(base, head, (100_000.0, 100_000.0 + more))


def test_a_function_whose_byte_code_changed_is_named_with_its_calls() -> None:
    found = of(("item * FACTOR", "(item + 0) * FACTOR"))

    (cause,) = found.causes
    assert cause.kind is CauseKind.CHANGED
    assert (cause.title, cause.words) == ("price", "caused by this change")
    assert cause.delta == pytest.approx(10_000)
    assert cause.share == pytest.approx(0.1)
    assert cause.details[0].startswith("called 20 times an ask; its byte code changed: ")
    assert [hunk.text for hunk in cause.hunks] == ["shop.py:6"]
    assert found.rest == pytest.approx(0)
    assert found.blame is not None
    assert found.blame.sure
    assert found.blame.source == "return (item + 0) * FACTOR"


def test_a_function_that_is_called_more_often_is_its_callers_doing() -> None:
    found = of(("result += taxed(item)", "result += taxed(item) + taxed(item)"))

    (cause,) = found.causes
    assert cause.title == "total"
    assert "calls taxed 20 times more an ask" in cause.details
    assert found.blame is not None
    assert found.blame.sure
    assert found.blame.hunk.text == "shop.py:14"


def test_a_new_function_is_charged_to_whoever_calls_it() -> None:
    found = of(
        ("return price(item) + 1", "return extra(price(item))"),
        ("def unused(item):\n", "def extra(item):\n    return item + 1\n\ndef unused(item):\n"),
    )

    assert [cause.title for cause in found.causes] == ["taxed"]
    assert "calls extra 20 times more an ask" in found.causes[0].details


def test_fewer_byte_codes_are_a_cause_of_the_other_sign() -> None:
    found = of(("item * FACTOR", "item"), more=-5_000)

    (cause,) = found.causes
    assert cause.delta == pytest.approx(-5_000)
    assert found.blame is not None
    assert found.blame.sure


def test_two_changes_share_the_difference_by_byte_codes_and_it_is_said() -> None:
    found = of(
        ("item * FACTOR", "item * FACTOR * 1 * 1 * 1"), ("price(item) + 1", "+price(item) + 1")
    )

    assert [cause.title for cause in found.causes] == ["price", "taxed"]
    assert sum(cause.delta for cause in found.causes) == pytest.approx(10_000)
    assert "estimated" in {note.code for note in found.notes}


def test_a_cell_is_named_with_the_line_that_makes_it_one() -> None:
    found = of(
        (
            "    return item * FACTOR",
            "    if item is None:\n        return [lambda: item]\n    return item * FACTOR",
        )
    )

    assert found.causes[0].title == "price"
    assert (
        "each call makes a cell for item now: a function within uses it" in found.causes[0].details
    )


def test_nothing_of_python_moved_and_what_else_changed_is_said() -> None:
    base = {"shop.py": SHOP, "fast.c": "int x;\n"}
    head = {"shop.py": SHOP, "fast.c": "int x, y;\n"}
    found = explained(base, head)

    (cause,) = found.causes
    assert cause.kind is CauseKind.BELOW_PYTHON
    assert cause.delta == pytest.approx(10_000)
    assert cause.details[-1] == "changed, and no Python: fast.c"
    assert found.blame is None


def test_other_data_made_at_import_is_most_likely_where_no_python_moved() -> None:
    source = '__version__ = "1"\nWORDS = "a b"\n\ndef ask():\n    return WORDS.split()\n'
    head = edited(source, ('"1"', '"2"'), ("a b", "a b c d"))

    found = explained({"a.py": source}, {"a.py": head})

    (cause,) = found.causes
    assert (cause.kind, cause.title) == (CauseKind.DEFINITION, "WORDS")
    assert found.blame is not None
    assert (found.blame.hunk.text, found.blame.sure) == ("a.py:1-2", False)


def test_another_version_number_is_no_cause() -> None:
    source = '__version__ = "1"\n\ndef ask():\n    return 1\n'

    found = explained({"a.py": source}, {"a.py": source.replace('"1"', '"2"')})

    assert found.causes[0].kind is CauseKind.BELOW_PYTHON
    assert found.blame is None


def test_edits_of_a_function_that_ran_are_named_before_all_others() -> None:
    base = SHOP.replace(
        "    return item * FACTOR",
        "    if item is None:\n        return 0\n    item = item\n    return item * FACTOR",
    )
    head = edited(base, ("return 0", "return 1"), ("item * FACTOR", "item * FACTOR + 0"))

    found = explained({"shop.py": base}, {"shop.py": head})

    assert [hunk.text for hunk in found.causes[0].hunks] == ["shop.py:9"]
    assert found.blame is not None
    assert found.blame.sure


def test_a_function_that_never_ran_is_not_named() -> None:
    found = of(("def unused(item):\n    return item", "def unused(item):\n    return item + 1"))

    assert found.causes[0].kind is CauseKind.BELOW_PYTHON
    assert found.blame is None


@pytest.mark.parametrize(
    "pair",
    [
        ('"""A shop."""', '"""A small shop."""'),
        ("def price(item):\n", "def price(item):\n    # three times\n"),
        ("def price(item):\n", 'def price(item):\n    "Three times."\n'),
    ],
)
def test_comments_and_documentation_are_no_cause(pair: tuple[str, str]) -> None:
    found = of(pair)

    assert found.causes[0].kind is CauseKind.BELOW_PYTHON
    assert found.blame is None


def test_unchanged_code_that_does_more_leads_to_the_name_it_uses() -> None:
    base = {
        "shop.py": SHOP.replace("FACTOR = 3", "FACTOR = [1]").replace(
            "* FACTOR", "+ sum(f for f in FACTOR)"
        )
    }
    head = {"shop.py": base["shop.py"].replace("[1]", "[1, 2, 3]")}

    found = explained(base, head)

    assert found.blame is not None
    assert not found.blame.sure
    assert found.blame.hunk.text == "shop.py:3"


def test_a_changed_name_that_moved_code_uses_is_named() -> None:
    source = """
SIZES = [1, 2]

class Shop:
    RATES = [3]

def ask():
    for size in SIZES:
        size + 1
"""
    found = explained({"a.py": source}, {"a.py": source.replace("[1, 2]", "[1, 2, 3]")})

    (cause,) = found.causes
    assert (cause.kind, cause.words) == (CauseKind.DEFINITION, "uses SIZES")
    assert found.blame is not None
    assert (found.blame.hunk.text, found.blame.sure) == ("a.py:2", False)


def test_other_data_from_a_changed_function_is_most_likely_its_doing() -> None:
    source = """
def items():
    return [1, 2, 3]

def work(found):
    for each in found:
        each + 1

def ask():
    work(items())
"""
    found = explained({"a.py": source}, {"a.py": source.replace("[1, 2, 3]", "[1, 2, 3, 4, 5, 6]")})

    assert found.causes[0].title == "work"
    assert found.causes[0].kind is CauseKind.SAME_CODE
    assert found.causes[0].words == "unchanged code, other data"
    assert found.blame is not None
    assert not found.blame.sure
    assert found.blame.title == "items"


def test_a_changed_function_beside_changed_c_code_is_not_sure() -> None:
    changed = SHOP.replace("item * FACTOR", "FACTOR * item")

    found = explained(
        {"shop.py": SHOP, "fast.c": "int x;\n"}, {"shop.py": changed, "fast.c": "int y;\n"}
    )

    assert found.blame is not None
    assert found.blame.title == "price"
    assert not found.blame.sure


def test_the_only_changed_function_is_sure_though_no_byte_code_moved() -> None:
    found = of(("item * FACTOR", "FACTOR * item"))

    assert found.blame is not None
    assert found.blame.sure
    assert "as before" in found.causes[0].details[0]


def test_changed_defaults_are_found_though_the_byte_code_is_the_same() -> None:
    source = "def loop(n=3):\n    for _ in range(n):\n        pass\n\ndef ask():\n    loop()\n"

    found = explained({"a.py": source}, {"a.py": source.replace("n=3", "n=9")})

    assert found.causes[0].title == "loop"
    assert found.blame is not None
    assert (found.blame.hunk.text, found.blame.sure) == ("a.py:1", False)


def test_a_function_that_moved_to_another_file_is_the_same() -> None:
    helper = "def helper(x):\n    return x + 1\n\n"
    main = "def ask():\n    return [helper(x) for x in range(9)]\n"

    found = explained(
        {"a.py": helper, "main.py": main}, {"b.py": helper, "main.py": main.replace("9", "12")}
    )

    assert [cause.title for cause in found.causes] == ["ask"]


def test_a_renamed_file_with_an_edit_is_followed() -> None:
    changed = SHOP.replace("item * FACTOR", "item * FACTOR + 0")

    found = explained({"shop.py": SHOP}, {"store.py": changed}, renames={"shop.py": "store.py"})

    assert [cause.title for cause in found.causes] == ["price"]
    assert found.blame is not None
    assert found.blame.hunk.text == "store.py:6"


def test_removed_code_is_named_by_the_line_before() -> None:
    base = {
        "shop.py": SHOP.replace(
            "    return item * FACTOR", "    item + 1\n    return item * FACTOR"
        )
    }

    found = explained(base, {"shop.py": SHOP}, (100_000.0, 90_000.0))

    assert found.blame is not None
    assert found.blame.hunk.removed
    assert found.blame.hunk.text == "shop.py:5"
    assert found.blame.source == "item + 1"


def test_recursion_that_goes_deeper_is_named_once() -> None:
    source = """
def down(n):
    return n and down(n - 1)

def ask():
    return down(5)
"""
    found = explained({"a.py": source}, {"a.py": source.replace("down(5)", "down(8)")})

    assert sum(cause.delta for cause in found.causes) + found.rest == pytest.approx(10_000)
    assert found.blame is not None
    assert found.blame.title == "ask"
