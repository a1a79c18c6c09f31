"""The report as GitLab's code quality: what is wrong, on the lines of a merge request."""

from __future__ import annotations

import hashlib
import json

from countci.model import Report, Status
from countci.reporting.clean import one_line
from countci.reporting.findings import Finding, findings
from countci.reporting.reporter import Look

_SEVERITY = {Status.UNSETTLED: "minor", Status.FAIL: "major", Status.ERROR: "critical"}
_ANYWHERE = "countci.toml"
"""GitLab drops what has no place."""


class CodeQuality:
    """Renders the subset of Code Climate's format that GitLab reads; `[]` when nothing is wrong."""

    suffix = "codeclimate.json"

    def render(self, report: Report, look: Look) -> str:  # noqa: ARG002 - every reporter's signature
        """Return what is wrong as a JSON array."""
        return json.dumps([_issue(each) for each in findings(report)], indent=2) + "\n"


def _issue(finding: Finding) -> dict[str, object]:
    text = one_line(finding.text)
    return {
        "description": f"{finding.queries}: {text}",
        "check_name": f"countci-{finding.status.value}",
        "fingerprint": _fingerprint(finding),
        "severity": _SEVERITY[finding.status],
        "location": {
            "path": finding.file or _ANYWHERE,
            "lines": {"begin": max(1, finding.first), "end": max(1, finding.last)},
        },
    }


def _fingerprint(finding: Finding) -> str:
    """Return what is the same in the report of the target branch, whatever numbers are there."""
    return hashlib.sha256(json.dumps(finding.key).encode()).hexdigest()
