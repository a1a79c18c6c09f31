"""Git: names to revisions, files of a revision, check-outs. The only user of GitPython."""
