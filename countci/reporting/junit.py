"""The report as JUnit's XML, which GitLab, Jenkins and Buildkite read: a test case a metric."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from countci.model import Query, Report, Status
from countci.reporting.clean import one_line
from countci.reporting.findings import findings
from countci.reporting.reasons import EVERY, reasons
from countci.reporting.reporter import Look
from countci.reporting.rows import ACCEPTED, Row, rows

_FORBIDDEN = re.compile("[\ufffe\uffff]")
"""What XML 1.0 can't hold, and `one_line` leaves."""
_NEW = "new: base doesn't have it, so there is nothing to hold it against"


class Junit:
    """Renders for tools that show tests.

    Source:
        junit-10.xsd of Jenkins' xunit plug-in, the strictest reader.
    """

    suffix = "xml"

    def render(self, report: Report, look: Look) -> str:  # noqa: ARG002 - every reporter's signature
        """Return `report` as one `testsuites`, with a `testsuite` for each query file."""
        queries = {one_line(each.query.id): each.query for each in report.comparisons}
        texts = dict(_texts(report))
        root = Element("testsuites", {"name": "countci", "time": f"{report.seconds:.3f}"})
        suites: dict[str, Element] = {}
        for row in rows(report):
            query = queries.get(row.query)
            suite, _, name = row.query.rpartition("/")
            if query is not None:
                suite, name = one_line(query.suite), one_line(query.name)
            if suite not in suites:
                suites[suite] = SubElement(root, "testsuite", _named(suite, query))
            case = SubElement(suites[suite], "testcase")
            case.set("name", _legal(f"{name} {row.metric}".rstrip()))
            case.set("classname", _legal(f"countci.{suite}"))
            _tell(case, row, texts.get((row.query, row.metric), ""), report)
        if report.problem is not None:
            _add_run(root, texts[EVERY, ""], report)
        _total(root)
        indent(root)
        head = '<?xml version="1.0" encoding="UTF-8"?>\n'
        return f"{head}{tostring(root, encoding='unicode')}\n"


def _add_run(root: Element, text: str, report: Report) -> None:
    """Add a test case for the run as a whole, of which nothing was measured."""
    case = SubElement(SubElement(root, "testsuite", {"name": "countci"}), "testcase")
    case.set("name", EVERY)
    case.set("classname", "countci")
    _tell(case, Row(query=EVERY, word=Status.ERROR.value, status=Status.ERROR), text, report)


def _named(suite: str, query: Query | None) -> dict[str, str]:
    file = {"file": _legal(one_line(query.file))} if query is not None else {}
    return {"name": _legal(suite), **file}


def _texts(report: Report) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield what is wrong, by query and metric; the metric is empty where nothing was measured."""
    for paragraph in reasons(report):
        if paragraph.bad:
            parts = (paragraph.text, paragraph.where, *paragraph.detail)
            text = "\n".join(part for part in parts if part)
            for query in paragraph.queries:
                yield (one_line(query), ""), text
    for finding in findings(report):
        query, metric = finding.key
        if metric:
            yield (query, metric), finding.text


def _tell(case: Element, row: Row, text: str, report: Report) -> None:
    tag = _tag(row, report)
    values = f"{row.values} {row.change}".strip()
    if not tag:
        said = ACCEPTED if row.word == ACCEPTED else ""
        out = " ".join(part for part in (values, row.interval, said) if part)
        SubElement(case, "system-out").text = _legal(out)
        return
    message = text.partition("\n")[0] or (_NEW if row.word == "new" else row.word)
    outcome = SubElement(case, tag, {"type": row.word, "message": _legal(message)})
    outcome.text = _legal(text or values)


def _tag(row: Row, report: Report) -> str:
    if row.status is None or row.word == "new":
        return "skipped"
    if row.status is Status.UNSETTLED:
        return "skipped" if report.unsettled_passes else "failure"
    return {Status.PASS: "", Status.FAIL: "failure", Status.ERROR: "error"}[row.status]


def _total(root: Element) -> None:
    """Set how many test cases came out how, of each suite and of all."""
    for element in (*root, root):
        element.set("tests", str(len(element.findall(".//testcase"))))
        element.set("failures", str(len(element.findall(".//failure"))))
        element.set("errors", str(len(element.findall(".//error"))))
    for suite in root:
        suite.set("skipped", str(len(suite.findall(".//skipped"))))


def _legal(text: str) -> str:
    return _FORBIDDEN.sub(" ", text)
