"""What is known already, and what a run leaves on disk."""

from countci.storing.baselines import FOLDER as BASELINES
from countci.storing.baselines import file_name as baseline_name
from countci.storing.baselines import find as find_baseline
from countci.storing.baselines import read as read_baseline
from countci.storing.baselines import record as record_baseline
from countci.storing.baselines import require as require_baseline
from countci.storing.results import write, write_file
from countci.storing.store import Store

__all__ = [
    "BASELINES",
    "Store",
    "baseline_name",
    "find_baseline",
    "read_baseline",
    "record_baseline",
    "require_baseline",
    "write",
    "write_file",
]
