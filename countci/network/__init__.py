"""The only door to the network: one server, over HTTPS, patient with it and never for long.

The headers, and so the token in them, go to that server alone: a redirect or a link to
another one is refused. No error and no log says more of a request than its address.
"""

from countci.network.address import origin
from countci.network.client import Client, Clock
from countci.network.failures import NetworkError, Uncertain
from countci.network.messages import Answer, Request
from countci.network.proxies import proxy_of

__all__ = [
    "Answer",
    "Client",
    "Clock",
    "NetworkError",
    "Request",
    "Uncertain",
    "origin",
    "proxy_of",
]
