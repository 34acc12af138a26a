"""JUnit: every check a case, craft never a failure, and XML whatever a learner says."""

from xml.etree import ElementTree as xml

import pytest
from msgspec.structs import replace

from kata.export.junit import junit
from kata.model import Error, Grader, Report
from kata.report import skipped
from tests import tiny
from tests.tiny import Judged

HEAD = "def double_and_shift(x, amount):\n"


def parsed(*reports: Report) -> list[xml.Element]:
    data = junit(reports)
    assert data.startswith(b'<?xml version="1.0" encoding="UTF-8"?>\n')
    root = xml.fromstring(data)
    assert root.tag == "testsuites"
    return list(root)


def counts(suite: xml.Element) -> dict[str, int]:
    return {name: int(suite.attrib[name]) for name in ("tests", "failures", "errors", "skipped")}


def test_a_right_answer(grader: Grader) -> None:
    [suite] = parsed(Judged(grader, tiny.ANSWER).report())
    assert suite.attrib["name"] == "07_double_and_shift" and suite.attrib["time"] == "0.250"
    assert counts(suite) == {"tests": 6, "failures": 0, "errors": 0, "skipped": 0}
    cases = suite.findall("testcase")
    assert [case.attrib["name"] for case in cases] == [check.name for check in grader.checks]
    assert all(len(case) == 0 and case.attrib["classname"] == "07_double_and_shift" for case in cases)
    facts = {fact.attrib["name"]: fact.attrib["value"] for fact in suite.findall("properties/property")}
    assert (facts["score"], facts["max_score"]) == ("8.0", "8.0") and suite[0].tag == "properties"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (HEAD + "    return 3 * x.float() + amount\n", {"tests": 6, "failures": 3, "errors": 0, "skipped": 1}),
        (HEAD + "    return x.nope\n", {"tests": 6, "failures": 1, "errors": 3, "skipped": 2}),
        (HEAD + "    if amount < 0: raise ValueError\n    return (2 * x + amount).float()\n", None),
    ],
)
def test_counts_are_those_of_the_cases(grader: Grader, text: str, expected: dict[str, int] | None) -> None:
    [suite] = parsed(Judged(grader, text).report())
    assert counts(suite) == (expected or {"tests": 6, "failures": 0, "errors": 0, "skipped": 1})
    for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        assert len(suite.findall(f"testcase/{tag}")) == counts(suite)[name]


def test_two_students_are_told_apart(grader: Grader) -> None:
    report = Judged(grader, tiny.ANSWER).report()
    both = [replace(report, submission=replace(report.submission, student=name)) for name in ("s1", "s2")]
    names = {case.attrib["classname"] for suite in parsed(*both) for case in suite.findall("testcase")}
    assert names == {"s1.07_double_and_shift", "s2.07_double_and_shift"}


def test_a_failure_tells_message_and_promise(grader: Grader) -> None:
    [suite] = parsed(Judged(grader, HEAD + "    return None\n").report())
    failure = suite.find("testcase[@name='values']/failure")
    assert failure is not None
    assert failure.attrib == {"type": "failed", "message": "returned None where a tensor is asked for"}
    assert failure.text == "The values are right."


def test_an_error_is_a_case_of_its_own(grader: Grader) -> None:
    report = replace(
        Judged(grader, tiny.ANSWER).report(),
        findings=tuple(map(skipped, grader.checks)),
        error=Error("syntax", "SyntaxError: no", 3),
    )
    [suite] = parsed(report)
    assert counts(suite) == {"tests": 7, "failures": 0, "errors": 1, "skipped": 6}
    told = suite.find("testcase[@name='file']/error")
    assert told is not None and told.attrib == {"type": "syntax", "message": "SyntaxError: no"}


def test_parts_that_were_left_out_are_skipped(grader: Grader) -> None:
    [suite] = parsed(Judged(grader, tiny.ANSWER, only=("values",)).report())
    assert counts(suite)["skipped"] == 5


HOSTILE = "</testcase><![CDATA[ ]]> &amp; <!-- \x00\x0b\x1b\x7f\x85\ufffe\uffff\ud800 \U000e0001 é \u2028 \"'"


def test_hostile_text_stays_text(grader: Grader) -> None:
    judged = Judged(grader, HEAD + f"    raise ValueError({HOSTILE!r} if amount > 0 else 'x')\n")
    report = judged.report()
    report = replace(report, findings=tuple(replace(f, output=f.message) for f in report.findings))
    [suite] = parsed(report)
    assert len(suite.findall("testcase")) == 6
    told = suite.find("testcase[@name='values']/error")
    printed = suite.findtext("testcase[@name='values']/system-out")
    assert told is not None and printed is not None
    shown = (
        "ValueError: </testcase><![CDATA[ ]]> &amp; <!-- ␀␋␛\\x7f\\x85\\ufffe\\uffff\\ud800 \\U000e0001 é \u2028 \"'"
    )
    assert told.attrib["message"] == printed == shown


def test_several_reports_and_none(grader: Grader) -> None:
    report = Judged(grader, tiny.ANSWER).report()
    assert len(parsed(report, report)) == 2
    assert parsed() == []
