"""What a repository is built with, and a first query for it. Nothing is run to find out."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from countci.cli.proposals.native import autotools, cmake, make, meson
from countci.cli.proposals.packaged import cargo, go
from countci.cli.proposals.proposal import Proposal, Texts, stand_in
from countci.cli.proposals.scripts import node, python

__all__ = ["Proposal", "propose"]

# A Makefile often only drives another tool, so it comes after those.
PROPOSERS: tuple[Callable[[Texts], Proposal | None], ...] = (
    *(cmake, meson, cargo, go, python, autotools, node, make),
)


def propose(files: Mapping[str, bytes]) -> Proposal:
    """Return the first proposal that runs a program of the project, else the first at all."""
    texts = {path: content.decode(errors="replace") for path, content in files.items()}
    found = [proposal for proposer in PROPOSERS if (proposal := proposer(texts))]
    unknown = stand_in("no build system that countci knows", ())
    return next((each for each in found if each.sure), next(iter(found), unknown))
