"""What a demangled symbol says: the function's own name."""

from __future__ import annotations

import re
from functools import cache

from countci.explaining.names import bare

_ALLOCATOR = re.compile(
    r"(?:(?:__libc_)?(?:malloc|free|calloc|realloc|memalign)|posix_memalign|aligned_alloc"
    r"|operator new.*|operator delete.*|_int_\w+|malloc_consolidate|sysmalloc.*|unlink_chunk.*"
    r"|cfree|systrim.*|tcache_\w+|alloc_perturb|(?:.*::)?__?r(?:ust|dl|g)_(?:de|re)?alloc\w*)"
)


def is_allocator(symbol: str) -> bool:
    """Return whether a function hands out or takes back memory."""
    return _ALLOCATOR.fullmatch(symbol) is not None


@cache
def plain(symbol: str) -> str:
    """Return a function's own name: no namespace, parameters or template arguments."""
    return bare(symbol).rpartition("::")[2]
