"""Sampled metrics: pairs of runs that alternate, alone on the machine."""

from countci.timing.inside import run as run_inside
from countci.timing.peak import with_peak
from countci.timing.pyperf_files import write as write_pyperf
from countci.timing.repeat import find
from countci.timing.run import run
from countci.timing.session import Job, collect

__all__ = ["Job", "collect", "find", "run", "run_inside", "with_peak", "write_pyperf"]
