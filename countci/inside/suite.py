"""Counts the benchmarks of a pytest suite, each in a forked child of its own.

    PYTHON suite.py PYTEST-ARGUMENT...

It is started where pytest would be. The environment says the rest:

COUNTCI_OUT        the file that gets one JSON object a line (`journal.py` says what is in it)
COUNTCI_PROFILES   path of cachegrind's files, with `%p`
COUNTCI_PLANS      optional: the plans of tests, as an earlier run chose them (`plans.py`)
COUNTCI_TESTS      optional: a JSON file, `query` and `patterns`: only tests whose id below the
                   query one of the patterns matches
COUNTCI_JOBS       optional: how many children live at once, 1 when unset
COUNTCI_TIMEOUT    optional: seconds for one test
COUNTCI_TRACE      optional: a file; one ask of each test is traced into it, nothing is counted
COUNTCI_COLLECTOR  optional: `each` (the default) or `off`

The exit status is 0 when the last line was written; whether tests passed is in the lines.
"""

from __future__ import annotations

import importlib
import os
import runpy
import sys
from pathlib import Path

if __name__ == "__main__":
    name = runpy.run_path(str(Path(__file__).with_name("start.py")))["NAME"]
    status = importlib.import_module(f"{name}.session").main(sys.argv[1:])
    sys.stdout.flush()
    os._exit(status)
