"""JUnit XML: one test suite a report, one test case a check."""

from collections.abc import Iterable
from xml.etree import ElementTree as xml

from kata.model import Finding, Report


def junit(reports: Iterable[Report]) -> bytes:
    """The reports as a JUnit document; every text is already free of control characters."""
    root = xml.Element("testsuites")
    for report in reports:
        _suite(root, report)
    xml.indent(root)
    text: str = xml.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()


def _suite(root: xml.Element, report: Report) -> None:
    name = f"{report.problem.number:02d}_{report.problem.slug}"
    name = f"{report.submission.student}.{name}" if report.submission.student else name  # a class has many of each
    failures = sum(f.verdict == "failed" for f in report.findings if f.tier == "required")
    errors = sum(f.verdict in ("crashed", "timed_out", "died") for f in report.findings if f.tier == "required")
    skipped = sum(_skips(f) for f in report.findings)
    counts = {
        "tests": len(report.findings) + (report.error is not None),
        "failures": failures,
        "errors": errors + (report.error is not None),
        "skipped": skipped,
    }
    attributes = {"name": name, "time": f"{report.seconds:.3f}"} | {key: str(value) for key, value in counts.items()}
    suite = xml.SubElement(root, "testsuite", attributes)
    facts = xml.SubElement(suite, "properties")
    for key, value in (("score", report.score), ("max_score", report.max_score), ("sandbox", report.sandbox)):
        xml.SubElement(facts, "property", {"name": key, "value": str(value)})
    if report.error is not None:
        case = xml.SubElement(suite, "testcase", {"classname": name, "name": "file", "time": "0"})
        xml.SubElement(case, "error", {"type": report.error.kind, "message": report.error.message})
    for finding in report.findings:
        _case(suite, name, finding)


def _skips(finding: Finding) -> bool:
    """Craft that is not there fails nobody, so it is told as skipped."""
    return finding.verdict == "skipped" or (finding.tier == "craft" and finding.verdict != "passed")


def _case(suite: xml.Element, name: str, finding: Finding) -> None:
    attributes = {"classname": name, "name": finding.check, "time": f"{finding.seconds:.3f}"}
    case = xml.SubElement(suite, "testcase", attributes)
    if _skips(finding):
        xml.SubElement(case, "skipped", {"message": finding.message})
    elif finding.verdict != "passed":
        kind = "failure" if finding.verdict == "failed" else "error"
        told = xml.SubElement(case, kind, {"type": finding.verdict, "message": finding.message})
        told.text = finding.promise
    if finding.output:
        xml.SubElement(case, "system-out").text = finding.output
