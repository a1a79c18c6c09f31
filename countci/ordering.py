"""What is to be built: each side's recipe, its environment and its key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import msgspec

from countci import builds, revisions
from countci.builds import Order
from countci.builds import python as environments
from countci.errors import UsageError
from countci.job import Job
from countci.model import Reason, Recipe, Revision, Variant
from countci.planning import Plan


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
    variant: Variant | None = None


def orders(job: Job, plan: Plan) -> Orders:
    """Return what has to be built for `plan`. Under the lock of its places.

    Raises:
        UsageError: what the configuration asks for isn't there.
        MeasureError: the packages of a Python environment can't be found.
    """
    env = builds.environment(job.env, plan.places, plan.config.pass_env)
    recipe, variants = plan.config.recipe, plan.variants
    if recipe.python is None:
        base, head = (
            _Means(recipe=_varied(recipe, variant), env=env, tools={}, variant=variant)
            for variant in (variants.base, variants.head)
        )
        return Orders(base=_order(plan, plan.base, base), head=_order(plan, plan.head, head))
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
            recipe=environments.recipe(_request(request, variant), pins),
            env=request.variables,
            tools=request.tools,
            variant=variant,
        )
        for pins, variant in ((found.base, variants.base), (found.head, variants.head))
    )
    return Orders(
        base=_order(plan, plan.base, base),
        head=_order(plan, plan.head, head),
        reasons=found.reasons,
    )


def of_any(job: Job, plan: Plan) -> Callable[[Revision], Order]:
    """Return what makes the order of any revision, all by the means of head's, looked up once.

    Raises:
        UsageError, MeasureError: as `orders` raises them.
    """
    if plan.variants.head or plan.variants.base:
        raise UsageError(
            "a variant is one side of a comparison, and this measures many commits",
            where=plan.head.name,
            detail="countci compare HEAD+NAME HEAD+OTHER; or leave it out",
        )
    env = builds.environment(job.env, plan.places, plan.config.pass_env)
    recipe = plan.config.recipe
    if recipe.python is None:
        return partial(_by, plan, _with_tools(_Means(recipe=recipe, env=env, tools={})))
    request = environments.Request(
        recipe=recipe,
        repository=plan.repository,
        base=plan.head,
        head=plan.head,
        places=plan.places,
        env=env,
    )
    made = environments.recipe(request, environments.resolve(request).head)
    means = _Means(recipe=made, env=request.variables, tools=request.tools)
    return partial(_by, plan, _with_tools(means))


def _varied(recipe: Recipe, variant: Variant | None) -> Recipe:
    """Return the recipe with a variant's own commands, if it has some."""
    if variant is None or variant.build is None:
        return recipe
    return msgspec.structs.replace(recipe, commands=variant.build)


def _request(request: environments.Request, variant: Variant | None) -> environments.Request:
    varied = _varied(request.recipe, variant)
    # As it is where it can be: it remembers what it found out about the interpreter.
    return request if varied is request.recipe else replace(request, recipe=varied)


def _order(plan: Plan, revision: Revision, means: _Means) -> Order:
    return _by(plan, _with_tools(means), revision)


def _with_tools(means: _Means) -> _Means:
    return replace(means, tools={**builds.toolchain(means.recipe, means.env), **means.tools})


def _by(plan: Plan, means: _Means, revision: Revision) -> Order:
    recipe = means.recipe
    key = builds.key(
        builds.Inputs(
            tree=revisions.tree_digest(plan.repository, revision, recipe.inputs),
            recipe=recipe,
            env=means.env,
            tools=means.tools,
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
        variant=means.variant,
    )


def _check_out(plan: Plan, revision: Revision, at: Path) -> None:
    revisions.check_out(plan.repository, revision, at)
