"""Named settings on top of a revision."""

from __future__ import annotations

from countci.model.frozen import Frozen


class Variant(Frozen, frozen=True, kw_only=True):
    """What `[variant.NAME]` says. Made by `config.load`."""

    name: str
    env: dict[str, str] = {}
    """On top of each query's own; neither a build nor a setup sees it."""
    build: tuple[str, ...] | None = None
    """Instead of the recipe's commands; None: the recipe's."""
    args: tuple[str, ...] = ()
    """Words that are appended to each query's command."""

    placement: str = ""
    """Instead of each query's own; empty: that."""

    @property
    def asks(self) -> bool:
        """Whether queries are asked in another way than without it."""
        return bool(self.env or self.args or self.placement)
