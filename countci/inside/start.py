"""Makes this folder a package of a private name, in an interpreter that doesn't know countci.

The scripts beside it are started by path: then Python puts their folder on sys.path, where
`plan` or `digest` would hide the project's own modules of that name.
"""

from __future__ import annotations

import importlib.util
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Final

NAME: Final = "_countci_inside"
_HERE: Final = Path(__file__).resolve().parent


def _package() -> None:
    sys.path[:] = [entry for entry in sys.path if not entry or Path(entry).resolve() != _HERE]
    spec = importlib.util.spec_from_file_location(
        NAME, _HERE / "__init__.py", submodule_search_locations=[str(_HERE)]
    )
    assert isinstance(spec, ModuleSpec)
    sys.modules[NAME] = importlib.util.module_from_spec(spec)


_package()
