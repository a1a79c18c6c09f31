"""Comparison to Verdict. Pure: no program, no clock, no environment."""
