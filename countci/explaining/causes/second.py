"""The second rule: the edit on whose lines the cost moved most, calls from there included."""

from __future__ import annotations

from collections import defaultdict

from countci.explaining.causes.facts import Facts


def largest_on_changes(facts: Facts) -> int | None:
    """Return the edit with the largest difference of the whole's sign on its own lines."""
    moved: dict[int, float] = defaultdict(float)
    for costs, sign in ((facts.attribution.base, -1), (facts.attribution.head, 1)):
        for own in costs.own.values():
            for place, cost in own.items():
                if place.edit is not None:
                    moved[place.edit] += sign * cost
        for calls in costs.calls.values():
            for call, called in calls.items():
                if call.place.edit is not None:
                    moved[call.place.edit] += sign * called.inclusive
    along = {
        edit: cost
        for edit, cost in moved.items()
        if cost * facts.delta > 0 and edit not in facts.changes.inert
    }
    return max(along, key=lambda edit: abs(along[edit]), default=None)
