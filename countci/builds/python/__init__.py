"""A Python environment for each revision, as a build: what is installed, and by which commands."""

from countci.builds.python.interpreter import Interpreter, interpreter
from countci.builds.python.pins import Pins
from countci.builds.python.recipe import recipe
from countci.builds.python.request import Request
from countci.builds.python.resolve import Dependencies, resolve

__all__ = ["Dependencies", "Interpreter", "Pins", "Request", "interpreter", "recipe", "resolve"]
