"""A history, or what a search in one found, as text and pictures. Pure."""

from countci.reporting.history.bisection import as_json as bisection_as_json
from countci.reporting.history.bisection import render as render_bisection
from countci.reporting.history.plain import ascii_only
from countci.reporting.history.table import FORMATS, format_of

__all__ = ["FORMATS", "ascii_only", "bisection_as_json", "format_of", "render_bisection"]
