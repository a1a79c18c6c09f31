"""`HEAD+evented`: a name that means a revision and a variant of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from msgspec.structs import replace

from countci import queries, revisions
from countci.config import Config
from countci.errors import UsageError
from countci.model import Query, Reason, Revision, Variant
from countci.reading.spelling import did_you_mean, listed
from countci.revisions import Repository


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """What a name means to git, and which variant may be meant. Made by `resolve`."""

    revision: Revision
    """Its name is the whole one."""
    variant: str = ""
    """What follows the last `+`; whether there is such a variant, the configuration says."""
    whole: bool = True
    """Git knows the whole name, so that a `+` in it is part of that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The variants that are compared. Made by `choose`."""

    base: Variant | None = None
    head: Variant | None = None
    notices: tuple[Reason, ...] = ()
    """What a reader must know of them."""


NO_VARIANTS = Chosen()


def resolve(repository: Repository, name: str) -> Named:
    """Return the commit that `name` means, by its part before the last `+` if not as a whole.

    Raises:
        UsageError: git knows neither.
    """
    before, _, variant = name.rpartition("+")
    if not before:
        return Named(revision=revisions.resolve(repository, name))
    try:
        whole = revisions.resolve(repository, name)
    except UsageError:
        revision = revisions.resolve(repository, before)
        return Named(revision=replace(revision, name=name), variant=variant, whole=False)
    return Named(revision=whole, variant=variant if _knows(repository, before) else "")


def choose(base: Named, head: Named | None, config: Config, asked: Iterable[Query]) -> Chosen:
    """Return both sides' variants.

    Args:
        base: what was named.
        head: what was named; None is uncommitted work.
        config: head's; its variants are those of both sides.
        asked: the queries.

    Raises:
        UsageError: there is no such variant, its name is a ref's as well, or one of the
            queries could never be run by it.
    """
    sides = _one(base, config), _one(head, config)
    every, notices = list(asked), []
    for variant in {each.name: each for each in sides if each}.values():
        where = f"{config.source}: variant.{variant.name}"
        for query in every:
            queries.check_variant(variant, query, where=where)
        without = [query.id for query in every if not queries.takes_args(query)]
        if variant.args and without:
            text = f"args of the variant {variant.name} don't reach {listed(without)}: no command"
            notices.append(Reason(code="variant-args", text=text))
    return Chosen(base=sides[0], head=sides[1], notices=tuple(notices))


def _one(named: Named | None, config: Config) -> Variant | None:
    if named is None or (named.whole and named.variant not in config.variants):
        return None
    if named.variant not in config.variants:
        raise _unknown(named, config)
    if named.whole:
        raise _ambiguous(named)
    return config.variants[named.variant]


def _knows(repository: Repository, name: str) -> bool:
    try:
        revisions.resolve(repository, name)
    except UsageError:
        return False
    return True


def _unknown(named: Named, config: Config) -> UsageError:
    there = f"there are {listed(config.variants)}" if config.variants else "there are none"
    return UsageError(
        f"neither a commit, nor is there a variant {named.variant!r}"
        f"{did_you_mean(named.variant, config.variants)}",
        where=named.revision.name,
        detail=f"{there} in {config.source} of head: [variant.NAME]",
    )


def _ambiguous(named: Named) -> UsageError:
    name, variant = named.revision.name, named.variant
    before = name.removesuffix(f"+{variant}")
    return UsageError(
        f"git knows a commit of this name, and {before} has a variant {variant}",
        where=name,
        detail=f"write {name}~0 for the commit, {before}~0+{variant} for the variant",
    )
