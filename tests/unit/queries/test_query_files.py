from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countci import queries
from countci.errors import UsageError
from countci.model import CommandWork, Limit, Suites

BANK = """\
setup = "build/bank load {work}/bank.db"
[query.per_branch]
command = "build/bank ask {work}/bank.db --repeat {n} per_branch"
[query.field]
command = "build/bank ask {work}/bank.db --repeat {n} field"
stdin = "field.txt"
limit.instructions = "2%"
metrics = ["instructions"]
timeout = "5s"
env.BANK_MODE = "fast"
fixed = ["random", "clock"]
output = "same"
"""
ONE = '[query.a]\ncommand = "bank {n}"\n'


def load(files: dict[str, str]) -> Suites:
    contents = {path: text.encode() for path, text in files.items()}
    return queries.load(contents, folder="queries", limits={"time": Limit(share=0.05)})


def refused(*lines: str, **files: str) -> str:
    text = "\n".join(["[query.a]", 'command = "bank {n}"', *lines])
    with pytest.raises(UsageError) as caught:
        load({"bank.toml": text, "field.txt": "x", **files})
    return str(caught.value)


def test_a_query_is_read_with_all_its_keys() -> None:
    field = load({"bank.toml": BANK, "field.txt": "x"}).queries[1]

    assert field.id == "bank/field"
    assert field.file == "queries/bank.toml"
    assert field.setup == "build/bank load {work}/bank.db"
    assert field.work == CommandWork(
        command="build/bank ask {work}/bank.db --repeat {n} field",
        stdin="field.txt",
        env={"BANK_MODE": "fast"},
        fixed=("clock", "random"),
    )
    assert field.output == "same"
    assert field.metrics == ("instructions",)
    assert field.limits == {"instructions": Limit(share=0.02)}
    assert field.timeout == pytest.approx(5)


def test_a_query_without_limits_has_the_projects_then_the_defaults() -> None:
    query = load({"bank.toml": ONE}).queries[0]

    assert query.limits == {"instructions": Limit(share=0.01), "time": Limit(share=0.05)}


def test_suites_are_sorted_and_queries_keep_the_order_of_their_file() -> None:
    text = '[query.z]\ncommand = "x"\n[query.a]\ncommand = "x"\n'

    found = load({"zoo.toml": ONE, "sub/bank.toml": text, "bank.toml": text}).queries

    assert [query.id for query in found] == [
        *("bank/z", "bank/a", "sub/bank/z", "sub/bank/a", "zoo/a"),
    ]


def test_standard_input_is_found_beside_a_nested_file() -> None:
    text = '[query.a]\ncommand = "x"\nstdin = "../data/in.txt"\n'

    query = load({"sub/bank.toml": text, "data/in.txt": ""}).queries[0]

    assert query.work.stdin == "data/in.txt"


def test_no_query_file_is_a_usage_error_that_says_what_to_do() -> None:
    with pytest.raises(UsageError, match="no query files") as caught:
        load({"data.txt": "x"})

    assert caught.value.exit_code == 2
    assert "countci init" in caught.value.detail


def test_a_query_file_without_queries_is_an_error() -> None:
    with pytest.raises(UsageError, match=r"queries/bank\.toml: no query in it"):
        load({"bank.toml": 'setup = "x"', "zoo.toml": ONE})


def test_a_suite_inside_a_suite_is_an_error_since_their_work_folders_would_be() -> None:
    with pytest.raises(UsageError, match="inside the suite"):
        load({"a.toml": ONE, "a/b.toml": ONE})


@pytest.mark.parametrize("name", ["a b.toml", "-a.toml", "ä.toml", "x/.hidden/b.toml"])
def test_a_suite_has_a_plain_name(name: str) -> None:
    with pytest.raises(UsageError, match="is no name for a suite"):
        load({name: ONE})


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('comand = "x"', 'query.a.comand: no such key; did you mean "command"?'),
        ('kind = "comand"', 'query.a.kind: "comand" is not one of command'),
        ("kind = 1", "query.a.kind: expected string"),
        ('limit.tme = "1%"', 'query.a.limit.tme: no such key; did you mean "time"?'),
        ('limit.time = "2,5%"', "'2,5%' is not a limit"),
        ('limit.time = "216 KiB"', "query.a.limit.time: time is no number of bytes"),
        ('metrics = ["tme"]', 'query.a.metrics: "tme" is not one of instructions, time'),
        ("metrics = []", "query.a.metrics: name each metric once, and at least one"),
        ('metrics = ["time", "time"]', "query.a.metrics: name each metric once"),
        ('timeout = "soon"', "'soon' is not a time span"),
        ('stdin = "feild.txt"', 'no file "feild.txt" beside it; did you mean "field.txt"?'),
        ('stdin = "../field.txt"', 'no file "../field.txt" beside it'),
        ("env.A = 1", "query.a.env.A: expected string"),
        ('env."A B" = "1"', "'A B' is not a name of the environment"),
        ('env.A = "{wrok}"', 'no placeholder {wrok} here; did you mean "work"?'),
        ('env.A = "{n}"', "no placeholder {n} here"),
        ('fixed = ["clok"]', '"clok" is not one of clock, random; did you mean "clock"?'),
        ('output = "sane"', '"sane" is not one of any, same; did you mean "same"?'),
    ],
)
def test_a_slip_is_named_with_its_line(line: str, message: str) -> None:
    shown = refused(line)

    assert shown.startswith("queries/bank.toml:3: ")
    assert message in shown


def test_a_limit_for_a_metric_that_isnt_measured_is_an_error() -> None:
    shown = refused('metrics = ["time"]', 'limit.instructions = "2%"')

    assert shown.startswith("queries/bank.toml:4: query.a.limit.instructions: ")


def test_output_is_compared_only_where_something_is_counted() -> None:
    shown = refused('metrics = ["time"]', 'output = "same"')

    assert shown.startswith("queries/bank.toml:4: query.a.output: ")


def test_a_library_of_the_querys_own_is_not_preloaded_beside_countcis() -> None:
    assert "leave LD_PRELOAD out" in refused('fixed = ["clock"]', 'env.LD_PRELOAD = "x.so"')


def test_what_is_fixed_is_part_of_the_digest_and_what_the_output_may_be_is_not() -> None:
    texts = [ONE, ONE + 'fixed = ["clock"]\n', ONE + 'output = "same"\n']
    plain, fixed, same = (load({"a.toml": text}).queries[0].digest for text in texts)

    assert fixed != plain
    assert same == plain


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("query = 1", "query: expected table, got integer"),
        ("[query]\na = 1", "query.a: expected a table"),
        ("[query.a]", "query.a.command: missing"),
        ('[query."a b"]\ncommand = "x"', "is no name for a query"),
        ('setup = "x {n}"\n' + ONE, "no placeholder {n} here"),
        ('[query.a]\ncommand = "x > y"', "sh -c '...'"),
        ('[query.a]\ncommand = "x {m}"', "no placeholder {m} here"),
        ("[query.a]\ncommand = \"awk '{ print }'\"", "write {{ and }} for braces"),
    ],
)
def test_a_table_that_could_never_be_run_is_refused(text: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        load({"bank.toml": text})

    assert str(caught.value).startswith("queries/bank.toml:")
    assert message in str(caught.value)


def test_a_digest_changes_with_what_a_count_depends_on() -> None:
    files = {"bank.toml": BANK, "field.txt": "x"}
    changed: list[dict[str, str]] = [
        {"bank.toml": BANK.replace("} field", "} fields")},
        {"bank.toml": BANK.replace("fast", "slow")},
        {"bank.toml": BANK.replace("load", "fill")},
        {"field.txt": "y"},
        {"other.txt": "new"},
    ]

    digests = {load(files | each).queries[1].digest for each in [{}, *changed]}

    assert len(digests) == len(changed) + 1


def test_a_digest_doesnt_change_with_limits_metrics_and_time_limit() -> None:
    files = {"bank.toml": BANK, "field.txt": "x"}
    other = BANK.replace("2%", "3%").replace("5s", "6s").replace("metrics", "# metrics")

    before, after = load(files), load(files | {"bank.toml": other})

    assert [each.digest for each in before.queries] == [each.digest for each in after.queries]
    assert before.digest != after.digest


def test_a_query_file_that_is_another_querys_input_is_part_of_its_digest() -> None:
    text = '[query.a]\ncommand = "x"\nstdin = "data.toml"\n'

    digests = {
        load({"bank.toml": text, "data.toml": ONE + end}).queries[0].digest for end in ("", "#")
    }

    assert len(digests) == 2


# ---------------------------------------------------------------- any file at all

NAMES = st.from_regex(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,8}", fullmatch=True)
TEXT = st.text(st.characters(exclude_characters="\0", codec="utf-8"), max_size=12)
QUOTED = TEXT.map(lambda text: "'" + text.replace("'", "_") + "'")
COMMANDS = st.lists(QUOTED, max_size=3).map(
    lambda parts: " ".join(
        ["program", *(part.replace("{", "{{").replace("}", "}}") for part in parts), "{n}"]
    )
)
SUITES = st.dictionaries(
    NAMES,
    st.dictionaries(
        NAMES,
        st.fixed_dictionaries(
            {"command": COMMANDS},
            optional={
                "timeout": st.integers(1, 1000),
                "stdin": st.just("in.txt"),
                "metrics": st.sampled_from([["time"], ["instructions"], ["time", "instructions"]]),
            },
        ),
        min_size=1,
        max_size=3,
    ),
    min_size=1,
    max_size=3,
)


def written(value: object) -> str:
    """JSON's strings, numbers and arrays are TOML's, but for one character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def toml(suite: dict[str, dict[str, object]]) -> str:
    lines = []
    for name, table in suite.items():
        lines.append(f"[query.{written(name)}]")
        lines += [f"{key} = {written(value)}" for key, value in table.items()]
    return "\n".join(lines)


@given(SUITES)
def test_any_valid_query_files_come_back_as_they_were_written(
    suites: dict[str, dict[str, dict[str, object]]],
) -> None:
    files = {f"{name}.toml": toml(suite) for name, suite in suites.items()}

    found = load(files | {"in.txt": "x"}).queries

    assert [query.id for query in found] == [
        f"{name}/{query}" for name in sorted(suites) for query in suites[name]
    ]
    for query in found:
        table = suites[query.suite][query.name]
        assert isinstance(query.work, CommandWork)
        assert query.work.command == table["command"]
        assert query.work.stdin == table.get("stdin")
        assert query.timeout == pytest.approx(table.get("timeout", 60))
        assert list(query.metrics) == table.get("metrics", ["instructions", "time"])


@given(st.integers(0, len(BANK)), st.binary(max_size=4), st.integers(0, 60))
def test_a_damaged_query_file_is_read_or_refused_with_its_name(
    at: int, junk: bytes, cut: int
) -> None:
    damaged = BANK.encode()[:at] + junk + BANK.encode()[at + cut :]
    refusal = ""
    try:
        queries.load({"bank.toml": damaged, "field.txt": b""}, folder="queries", limits={})
    except UsageError as error:
        refusal = str(error)

    assert not refusal or refusal.startswith("queries/bank.toml")
