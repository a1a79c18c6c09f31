"""What is to be built: each side's recipe, its environment and its key."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from countci import builds, revisions
from countci.builds import Order
from countci.errors import UsageError
from countci.job import Job
from countci.model import Reason, Revision
from countci.ordering.means import Means, varied
from countci.planning import Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class Orders:
    """Both sides' builds, and what they don't have in common beside the sources."""

    base: Order
    head: Order
    reasons: tuple[Reason, ...] = ()


def orders(job: Job, plan: Plan) -> Orders:
    """Return what has to be built for `plan`. Under the lock of its places.

    Raises:
        UsageError: what the configuration asks for isn't there.
        MeasureError: the packages of a Python environment can't be found.
    """
    env = builds.environment(job.env, plan.places, plan.config.pass_env)
    recipe, variants = plan.config.recipe, plan.variants
    if recipe.python is None:
        reasons: tuple[Reason, ...] = ()
        base, head = (
            Means(recipe=varied(recipe, variant), env=env, tools={}, variant=variant)
            for variant in (variants.base, variants.head)
        )
    else:
        import countci.ordering.environments as environments

        base, head, reasons = environments.both(plan, env)
    return Orders(
        base=_by(plan, _with_tools(base), plan.base),
        head=_by(plan, _with_tools(head), plan.head),
        reasons=reasons,
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
    if plan.config.recipe.python is None:
        means = Means(recipe=plan.config.recipe, env=env, tools={})
    else:
        import countci.ordering.environments as environments

        means = environments.of_head(plan, env)
    return partial(_by, plan, _with_tools(means))


def _with_tools(means: Means) -> Means:
    return replace(means, tools={**builds.toolchain(means.recipe, means.env), **means.tools})


def _by(plan: Plan, means: Means, revision: Revision) -> Order:
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
