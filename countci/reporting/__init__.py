"""Report to terminal, Markdown, JSON. Pure; delivery is elsewhere."""

from countci.reporting.json_file import read, schema
from countci.reporting.reporter import Look, Reporter
from countci.reporting.table import REPORTERS, reporter_for

__all__ = ["REPORTERS", "Look", "Reporter", "read", "reporter_for", "schema"]
