"""Report to terminal, Markdown, JSON. Pure; delivery is elsewhere."""
