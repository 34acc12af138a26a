"""The report: what counts, when it is passed, and that it is the JSON that the schema describes."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from kata import schema
from kata.model import Check, Diagnosis, Error, Finding, Grader, Report, Submission, Tier, Verdict
from kata.report import OWN_WORK, build, skipped, submission_ref, worth
from kata.words import finite
from tests import tiny
from tests.tiny import Judged


def found(
    check: str = "c",
    verdict: Verdict = "passed",
    points: float = 1.0,
    tier: Tier = "required",
    explains: bool = False,
) -> Finding:
    won = points if verdict == "passed" else 0.0
    return Finding(check, "It is right.", tier, explains, verdict, won, points, "", {}, "", 0.0)


def built(grader: Grader, findings: Iterable[Finding], **facts: Any) -> Report:
    known: dict[str, Any] = {"torch": "2.13.0", "sandbox": "process", "seed": 0, "seconds": 0.1234567}
    return build(grader.problem, Submission("f.py", b"x"), findings, **(known | facts))


VALUE, SHAPE = found("value", points=4), found("shape", explains=True)


@pytest.mark.parametrize(
    ("findings", "points"),
    [
        ([SHAPE, VALUE], [1, 4]),
        ([SHAPE, found("value", "failed", 4)], [0, 0]),
        ([SHAPE, found("value", "failed", 4), found("other", points=2)], [1, 0, 2]),
        ([found("shape", "failed", explains=True), VALUE], [0, 4]),
        ([SHAPE], [0]),
        ([SHAPE, found("value", "skipped", 4)], [0, 0]),
        ([SHAPE, found("pointless", points=0)], [0, 0]),  # a check without points shows no values
        ([SHAPE, found("nice", tier="craft", points=1)], [0, 0]),
        ([SHAPE, VALUE, found(OWN_WORK, "failed", 0, explains=True)], [0, 0, 0]),
        ([SHAPE, VALUE, found(OWN_WORK, "passed", 0, explains=True)], [1, 4, 0]),
        ([], []),
    ],
)
def test_points_of_checks_that_explain_count_once_values_are_right(
    findings: list[Finding], points: list[float]
) -> None:
    assert [f.points for f in worth(findings)] == points


@pytest.mark.parametrize(
    ("findings", "passed"),
    [
        ([SHAPE, VALUE], True),
        ([SHAPE, VALUE, found("nice", "failed", 0, "craft")], True),
        ([SHAPE, VALUE, found("nice", "crashed", 0, "craft")], True),
        ([SHAPE, VALUE, found("nice", "skipped", 0, "craft")], False),  # left out: not judged as a whole
        ([VALUE, found("shape", "skipped", explains=True)], False),
        ([VALUE, found("shape", "failed", explains=True)], False),
        ([VALUE, found("other", "timed_out")], False),
        ([found("nice", tier="craft")], False),
        ([], False),
    ],
)
def test_passed(grader: Grader, findings: list[Finding], passed: bool) -> None:
    assert built(grader, findings).passed is passed


def test_a_report_with_an_error_never_passes(grader: Grader) -> None:
    report = built(grader, [VALUE], error=Error("ours", "x"))
    assert not report.passed


def test_sums_and_facts(grader: Grader) -> None:
    craft = [found("a", tier="craft", points=0), found("b", "failed", 0, "craft")]
    report = built(grader, [SHAPE, found("value", "failed", 4), found("other"), *craft])
    assert (report.score, report.max_score, report.craft, report.max_craft) == (2.0, 6.0, 1, 2)
    assert (report.seconds, report.schema, report.problem.slug) == (0.123, "kata.report/1", "double_and_shift")


def test_a_check_that_was_never_run() -> None:
    check = Check("c", "It is right.", "required", True, 2.0, lambda draw: iter(()))  # type: ignore[arg-type,return-value]
    assert skipped(check) == found("c", "skipped", 2.0, explains=True)


def test_the_submission_is_known_by_its_hash() -> None:
    assert submission_ref(Submission("f\x1b.py", b"")).sha256 == (
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    )
    refused = submission_ref(Submission("f\x1b.py", b"", refused=Error("missing_file", "")))
    assert (refused.path, refused.sha256) == ("f␛.py", None)


# ── As JSON ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def reports(grader: Grader) -> list[Report]:
    wrong = "def double_and_shift(x, amount):\n    return float('nan') * x.T.nope if amount > 4 else x / 0\n"
    return [
        Judged(grader, tiny.ANSWER).report(),
        Judged(grader, wrong).report(),
        built(grader, map(skipped, grader.checks), error=Error("syntax", "no", 3)),
        built(grader, [], diagnoses=(Diagnosis("n", "t", ("c",)),), seed="secret"),
    ]


def test_reports_survive_json(grader: Grader) -> None:
    for report in reports(grader):
        text = msgspec.json.encode(report)
        assert msgspec.json.decode(text, type=Report) == msgspec.json.decode(
            msgspec.json.encode(msgspec.json.decode(text, type=Report)), type=Report
        )
        plain = json.loads(text)
        assert list(plain)[:2] == ["schema", "kata"]
        assert not {"NaN", "Infinity", "-Infinity"} & set(text.decode().replace('"', " ").split())


def test_unknown_fields_and_values_are_forbidden(grader: Grader) -> None:
    plain = msgspec.to_builtins(reports(grader)[1])
    msgspec.convert(plain, Report)
    changes: list[dict[str, Any]] = [
        {"more": 1},
        {"schema": "kata.report/2"},
        {"sandbox": "none"},
        {"passed": 1},
        {"error": {"kind": "odd", "message": ""}},
        {"problem": plain["problem"] | {"more": 1}},
        {"submission": plain["submission"] | {"more": 1}},
        {"findings": [plain["findings"][0] | {"verdict": "maybe"}]},
        {"findings": [plain["findings"][0] | {"more": 1}]},
        {"diagnoses": [{"name": "n", "text": "t", "checks": [], "more": 1}]},
    ]
    for change in changes:
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(plain | change, Report)
    for name in plain:
        if name != "error":
            with pytest.raises(msgspec.ValidationError):
                msgspec.convert({k: v for k, v in plain.items() if k != name}, Report)


def test_the_published_schema_is_the_one_that_is_generated() -> None:
    published = Path(__file__).parents[1] / "docs" / "report.schema.json"
    assert published.read_bytes() == schema.report_schema()


def test_the_schema_forbids_unknown_fields_everywhere() -> None:
    definitions = json.loads(schema.report_schema())["$defs"]
    assert {name for name, d in definitions.items() if d.get("additionalProperties") is not False} == set()
    kinds = {"missing_file", "unreadable", "too_large", "not_python", "syntax", "import", "missing_function"}
    assert set(definitions["Error"]["properties"]["kind"]["enum"]) == kinds | {"signature", "not_written", "ours"}


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (1.5, 1.5),
        (3, 3),
        (True, True),
        (float("nan"), "nan"),
        (float("inf"), "inf"),
        (float("-inf"), "-inf"),
        (1 + 2j, "(1+2j)"),
        (complex("nan"), "(nan+0j)"),
    ],
)
def test_numbers_are_finite_or_strings(value: complex, told: Any) -> None:
    assert finite(value) == told and type(finite(value)) is type(told)


def test_nouns_are_frozen() -> None:
    with pytest.raises(AttributeError):
        found().check = "other"  # type: ignore[misc]
    assert replace(found(), check="other").check == "other"
