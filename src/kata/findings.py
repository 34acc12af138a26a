"""A finding from what a check gave: texts made harmless, evidence as plain JSON; and the check for shortcuts."""

from typing import Any

from kata import report
from kata.author import Draw
from kata.model import Check, Checking, Finding, Verdict
from kata.words import describe, finite, harmless


def finding(
    check: Check,
    verdict: Verdict,
    message: str = "",
    evidence: dict[str, Any] | None = None,
    output: str = "",
    seconds: float = 0.0,
) -> Finding:
    """A finding whose texts are harmless and whose evidence is plain JSON."""
    points = check.points if verdict == "passed" else 0.0
    return Finding(
        check.name,
        check.promise,
        check.tier,
        check.explains,
        verdict,
        points,
        check.points,
        harmless(message, 1000),
        {name: _json(value) for name, value in (evidence or {}).items()},
        harmless(output),
        round(seconds, 4),
    )


def _json(value: Any) -> Any:
    match value:
        case float():
            return finite(value)
        case str():
            return harmless(value, 1000)
        case list() | tuple():
            return [_json(item) for item in value]
        case dict():
            return {harmless(str(key), 100): _json(item) for key, item in value.items()}
        case None | bool() | int():
            return value
    return harmless(describe(value), 200)


def _nothing(draw: Draw) -> Checking:
    yield from ()


OWN_WORK = Check(
    report.OWN_WORK, "The answer is built from simpler parts than what it is to build.", "required", True, 0.0, _nothing
)


def own_work(shortcuts: set[tuple[str, int]]) -> Finding:
    """The finding about forbidden names, with the lines that mention or call them."""
    if not shortcuts:
        return finding(OWN_WORK, "passed")
    listed = sorted(shortcuts, key=lambda hit: (hit[1], hit[0]))
    text = ", ".join(f"{name} (line {line})" for name, line in listed[:6])
    message = f"uses {text}, which is what this problem asks you to build; no points while it does"
    return finding(OWN_WORK, "failed", message, {"shortcuts": [list(hit) for hit in listed[:20]]})
