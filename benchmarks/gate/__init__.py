"""The work of a comparison, made and done by hand."""
