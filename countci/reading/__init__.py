"""What people write for countci: TOML with the place of each mistake, command lines, limits."""
