from __future__ import annotations

import pytest

from countci import config
from countci.errors import UsageError
from countci.model import Variant

FULL = """
build = "make"
[variant.evented]
env.EVENT = "1"
build = ["make EVENT=1"]
args = ["--backlog", "64"]
placement = "one-core"
[variant.plain]
build = []
"""


def variants(text: str) -> dict[str, Variant]:
    return config.parse_file(text.encode(), file="countci.toml").variants


def refused(text: str) -> str:
    with pytest.raises(UsageError) as caught:
        variants(f'build = "make"\n{text}')
    return str(caught.value)


def test_each_setting_of_a_variant_is_read() -> None:
    assert variants(FULL) == {
        "evented": Variant(
            name="evented",
            env={"EVENT": "1"},
            build=("make EVENT=1",),
            args=("--backlog", "64"),
            placement="one-core",
        ),
        "plain": Variant(name="plain", build=()),
    }


def test_without_any_there_are_none() -> None:
    assert variants('build = "make"') == {}


def test_a_variant_in_pyproject_is_one_too() -> None:
    text = b'[tool.countci]\nbuild = []\n[tool.countci.variant.a]\nargs = ["-a"]\n'

    assert config.parse_file(text, file="pyproject.toml").variants["a"].args == ("-a",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[variant.a]\n", "countci.toml:2: variant.a: a variant that changes nothing"),
        ("variant.a = 3\n", "countci.toml:2: variant.a: expected a table"),
        ("[variant.a]\nenvv.X = '1'\n", 'no such key; did you mean "env"?'),
        ("[variant.a]\nenv.X = 1\n", "countci.toml:3: variant.a.env.X: expected string"),
        ("[variant.a]\nenv.'X Y' = '1'\n", "is not a name of the environment"),
        ('[variant.a]\nenv.X = "a\\u0000"\n', "a NUL character"),
        ('[variant.a]\nargs = ["a\\u0000"]\n', "a NUL character"),
        ("[variant.a]\nargs = '-x'\n", "variant.a.args: expected array"),
        ("[variant.a]\nbuild = 'make | tee log'\n", "needs a shell"),
        ("[variant.a]\nplacement = 'one-cor'\n", 'did you mean "one-core"?'),
        ("[variant.'a+b']\nargs = ['-x']\n", "'a+b' is no name for a variant"),
    ],
)
def test_a_slip_is_an_error_with_its_place(text: str, said: str) -> None:
    assert said in refused(text)
