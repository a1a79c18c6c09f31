"""Sends requests to a server, as a process of its own: `load.py SPECIFICATION OUT`.

Both are paths of JSON files; `loading.py` says what is in them. SIGTERM ends the load early,
and OUT is written all the same.
"""

from __future__ import annotations

import importlib
import runpy
import sys
from pathlib import Path

if __name__ == "__main__":
    name = runpy.run_path(str(Path(__file__).with_name("start.py")))["NAME"]
    sys.exit(importlib.import_module(f"{name}.loading").main(sys.argv[1:]))
