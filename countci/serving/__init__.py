"""A server while it is measured: started, waited for, watched by thread, and ended for good."""

from countci.serving.ports import Ports, ports
from countci.serving.processors import busy
from countci.serving.ready import tail, wait_for_address
from countci.serving.serve import Serving, Started, serve
from countci.serving.threads import cpu_of, threads_between, threads_of

__all__ = [
    "Ports",
    "Serving",
    "Started",
    "busy",
    "cpu_of",
    "ports",
    "serve",
    "tail",
    "threads_between",
    "threads_of",
    "wait_for_address",
]
