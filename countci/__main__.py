"""`python -m countci` is `countci`."""

from countci.cli.main import main

main()
