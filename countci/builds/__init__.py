"""Revision to Build: stage, recipe, key, cache, manifest, identity."""
