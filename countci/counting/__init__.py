"""Exact metrics: Command to cachegrind to Profile to Counts to Measurement."""
