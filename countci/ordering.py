"""What is to be built: each side's recipe, its environment and its key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from countci import builds, revisions
from countci.builds import Order
from countci.builds import python as environments
from countci.model import Reason, Recipe, Revision
from countci.planning import Job, Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class Orders:
    """Both sides' builds, and what they don't have in common beside the sources."""

    base: Order
    head: Order
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Means:
    """What a side is built by."""

    recipe: Recipe
    env: Mapping[str, str]
    tools: Mapping[str, str]


def orders(job: Job, plan: Plan) -> Orders:
    """Return what has to be built for `plan`. Under the lock of its places.

    Raises:
        UsageError: what the configuration asks for isn't there.
        MeasureError: the packages of a Python environment can't be found.
    """
    env = builds.environment(job.env, plan.places, plan.config.pass_env)
    recipe = plan.config.recipe
    if recipe.python is None:
        means = _Means(recipe=recipe, env=env, tools={})
        return Orders(base=_order(plan, plan.base, means), head=_order(plan, plan.head, means))
    request = environments.Request(
        recipe=recipe,
        repository=plan.repository,
        base=plan.base,
        head=plan.head,
        places=plan.places,
        env=env,
    )
    found = environments.resolve(request)
    base, head = (
        _Means(
            recipe=environments.recipe(request, pins), env=request.variables, tools=request.tools
        )
        for pins in (found.base, found.head)
    )
    return Orders(
        base=_order(plan, plan.base, base),
        head=_order(plan, plan.head, head),
        reasons=found.reasons,
    )


def _order(plan: Plan, revision: Revision, means: _Means) -> Order:
    recipe = means.recipe
    key = builds.key(
        builds.Inputs(
            tree=revisions.tree_digest(plan.repository, revision, recipe.inputs),
            recipe=recipe,
            env=means.env,
            tools={**builds.toolchain(recipe, means.env), **means.tools},
            stage=plan.places.stage,
            queries=plan.suites.digest,
        )
    )
    return Order(
        revision=revision,
        recipe=recipe,
        key=key,
        env=means.env,
        make_tree=partial(_check_out, plan, revision),
    )


def _check_out(plan: Plan, revision: Revision, at: Path) -> None:
    revisions.check_out(plan.repository, revision, at)
