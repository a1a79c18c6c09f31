"""Which hardware threads a program runs on: by name, where this machine has them."""

from countci.placement.choosing import Placed, choose
from countci.placement.topology import Core, Topology, here, read

__all__ = ["Core", "Placed", "Topology", "choose", "here", "read"]
