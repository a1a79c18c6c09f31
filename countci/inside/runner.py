"""Runs one function of a project: counted, timed, or just often enough to know how long it takes.

    PYTHON runner.py --function module:function [--setup module:function] --out FILE
        --points 4,8,16 [--warm 16] [--collector off]   count, under cachegrind
        --points auto --profiles OUT/cg.%p              the same; the first asks choose the plan
        --probe                                         seconds an ask
        --loops N [--warm 16]                           time N asks
        --trace [--warm 16] [--collector off]           what one ask executes, natively

FILE gets one JSON object (`function.py` says what is in it). Where its `problem` isn't null,
there is no usable number, and the exit status is 1.
"""

from __future__ import annotations

import importlib
import os
import runpy
import sys
from pathlib import Path

if __name__ == "__main__":
    name = runpy.run_path(str(Path(__file__).with_name("start.py")))["NAME"]
    status = importlib.import_module(f"{name}.function").main(sys.argv[1:])
    # At once: neither threads that were left behind nor exit handlers are anybody's business.
    os._exit(status)
