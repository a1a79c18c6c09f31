"""Query files to Query; a query, its place and n to a Command."""
