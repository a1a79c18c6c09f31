"""Proves the instrument on the machine at hand: known changes, put through the real gate."""

from countci.selftest.proving import Proof, prove
from countci.selftest.trials import Finding

__all__ = ["Finding", "Proof", "prove"]
