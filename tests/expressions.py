"""The expressions of GitHub's workflow files, as far as a careful action needs them.

Source: GitHub's documentation, "Evaluate expressions in workflows and actions".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Value: TypeAlias = "str | bool | int | Mapping[str, Value]"
Functions: TypeAlias = Mapping[str, Callable[[], bool]]
_TOKEN = re.compile(r"\s*('(?:[^']|'')*'|&&|\|\||==|!=|!|\(|\)|[A-Za-z_][\w.-]*)")
_FILLED = re.compile(r"\$\{\{(.*?)\}\}", re.DOTALL)


@dataclass(frozen=True)
class Expressions:
    """What expressions may name."""

    context: Mapping[str, Value]
    functions: Functions

    def fill(self, text: object) -> str:
        """Return `text` with the value of each `${{ }}` in its place."""
        return _FILLED.sub(lambda found: _text(self.value(found[1])), str(text))

    def holds(self, condition: object) -> bool:
        """Whether a step with this `if` is run: success() is meant where no status is named."""
        text = str(condition).strip().removeprefix("${{").removesuffix("}}")
        if not re.search(r"\b(always|success|failure|cancelled)\(\)", text):
            text = f"success() && ({text})"
        return bool(self.value(text))

    def value(self, expression: str) -> Value:
        """Return what `expression` comes to."""
        tokens = _tokens(expression)
        found = self._either(tokens)
        assert not tokens, f"{tokens} is left of {expression}"
        return found

    def _either(self, tokens: list[str]) -> Value:
        found = self._both(tokens)
        while _next(tokens, "||"):
            other = self._both(tokens)
            found = found or other
        return found

    def _both(self, tokens: list[str]) -> Value:
        found = self._compared(tokens)
        while _next(tokens, "&&"):
            other = self._compared(tokens)
            found = found and other
        return found

    def _compared(self, tokens: list[str]) -> Value:
        found = self._one(tokens)
        for sign in ("==", "!="):
            if _next(tokens, sign):
                other = self._one(tokens)
                return (_text(found).casefold() == _text(other).casefold()) is (sign == "==")
        return found

    def _one(self, tokens: list[str]) -> Value:
        word = tokens.pop(0)
        if word == "!":
            return not self._one(tokens)
        if word == "(":
            found = self._either(tokens)
            assert _next(tokens, ")")
            return found
        if word.startswith("'"):
            return word[1:-1].replace("''", "'")
        if _next(tokens, "("):
            assert _next(tokens, ")")
            return self.functions[word]()
        return _looked_up(self.context, word.split("."))


def _tokens(expression: str) -> list[str]:
    tokens, at = [], 0
    text = expression.rstrip()
    while at < len(text):
        found = _TOKEN.match(text, at)
        assert found, f"can't be read: {text[at:]}"
        tokens.append(found[1])
        at = found.end()
    return tokens


def _next(tokens: list[str], wanted: str) -> bool:
    if tokens[:1] != [wanted]:
        return False
    tokens.pop(0)
    return True


def _looked_up(context: Mapping[str, Value], path: Sequence[str]) -> Value:
    found: Value = context
    for name in path:
        found = found.get(name, "") if isinstance(found, Mapping) else ""
    return found


def _text(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    assert not isinstance(value, Mapping), "a whole context is no text"
    return str(value)
