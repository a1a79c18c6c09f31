"""The whole difference, split over lines and calls: exactly, and per call."""

from countci.explaining.attributing.attribution import Attribution, attribute
from countci.explaining.attributing.costs import Call, Called, Costs, Place, costs
from countci.explaining.attributing.decomposition import Item
from countci.explaining.attributing.inlining import Inlined
from countci.explaining.attributing.renaming import rename, renamed

__all__ = [
    "Attribution",
    "Call",
    "Called",
    "Costs",
    "Inlined",
    "Item",
    "Place",
    "attribute",
    "costs",
    "rename",
    "renamed",
]
