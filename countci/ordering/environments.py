"""What sides with a Python environment are built by. Apart, because few have one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from countci.builds import python
from countci.builds.python import Request
from countci.model import Reason, Revision, Variant
from countci.ordering.means import Means, varied
from countci.planning import Plan


def both(plan: Plan, env: Mapping[str, str]) -> tuple[Means, Means, tuple[Reason, ...]]:
    """Return the means of base and of head, and what they don't have in common.

    Raises:
        UsageError: the interpreter that the configuration asks for isn't there.
        MeasureError: the packages can't be found.
    """
    request = _request(plan, plan.base, env)
    found = python.resolve(request)
    base, head = (
        Means(
            recipe=python.recipe(_varied(request, variant), pins),
            env=request.variables,
            tools=request.tools,
            variant=variant,
        )
        for pins, variant in ((found.base, plan.variants.base), (found.head, plan.variants.head))
    )
    return base, head, found.reasons


def of_head(plan: Plan, env: Mapping[str, str]) -> Means:
    """Return the means of head. Raises as `both` does."""
    request = _request(plan, plan.head, env)
    made = python.recipe(request, python.resolve(request).head)
    return Means(recipe=made, env=request.variables, tools=request.tools)


def _request(plan: Plan, base: Revision, env: Mapping[str, str]) -> Request:
    return Request(
        recipe=plan.config.recipe,
        repository=plan.repository,
        base=base,
        head=plan.head,
        places=plan.places,
        env=env,
    )


def _varied(request: Request, variant: Variant | None) -> Request:
    recipe = varied(request.recipe, variant)
    # As it is where it can be: it remembers what it found out about the interpreter.
    return request if recipe is request.recipe else replace(request, recipe=recipe)
