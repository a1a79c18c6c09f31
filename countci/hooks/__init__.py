"""Git hooks that call countci: their text, and putting them into a folder and out again."""

from countci.hooks.folder import Hook, State, install, look, remove
from countci.hooks.pushed import Push, pushed
from countci.hooks.text import HOOKS

__all__ = ["HOOKS", "Hook", "Push", "State", "install", "look", "pushed", "remove"]
