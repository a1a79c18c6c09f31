"""Revision to Build: stage, recipe, key, cache, manifest, identity."""

from countci.builds.cache import Cache, Order
from countci.builds.environment import environment
from countci.builds.identity import identical
from countci.builds.key import Inputs, key
from countci.builds.lock import hold
from countci.builds.manifest import manifest
from countci.builds.places import Places, locate, prepare
from countci.builds.recovery import empty_trash, recover
from countci.builds.stage import Stage
from countci.builds.toolchain import toolchain

__all__ = [
    "Cache",
    "Inputs",
    "Order",
    "Places",
    "Stage",
    "empty_trash",
    "environment",
    "hold",
    "identical",
    "key",
    "locate",
    "manifest",
    "prepare",
    "recover",
    "toolchain",
]
