"""What all types of the model share."""

from __future__ import annotations

import msgspec


class Frozen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Made once, never filled in later, and strict when it is read back."""
