"""Sampled metrics: pairs of runs that alternate, alone on the machine."""
