"""Puts findings together into the Report."""

import hashlib
import platform
from collections.abc import Iterable

from msgspec.structs import replace

from kata import __version__
from kata.model import (
    Check,
    Diagnosis,
    Error,
    Finding,
    Level,
    Problem,
    ProblemRef,
    Report,
    Submission,
    SubmissionRef,
)
from kata.words import harmless

OWN_WORK = "own_work"  # the check that a problem with FORBIDS gets without writing it


def submission_ref(submission: Submission) -> SubmissionRef:
    """Which file was judged; without a hash when it could not be read."""
    digest = hashlib.sha256(submission.source).hexdigest() if submission.refused is None else None
    return SubmissionRef(submission.student, harmless(submission.path, 500), digest)


def worth(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings with the points that count: none with a shortcut; those that explain once values are right."""
    found = tuple(findings)
    sound = not any(f.check == OWN_WORK and f.verdict == "failed" for f in found)
    sound = sound and any(
        f.verdict == "passed" and f.max_points and not f.explains and f.tier == "required" for f in found
    )
    return found if sound else tuple(replace(f, points=0.0) for f in found)


def _whole(findings: tuple[Finding, ...]) -> bool:
    """Whether no check was left out: an answer that was judged in part has not passed, whatever the parts say."""
    return not any(f.verdict == "skipped" for f in findings)


def build(
    problem: Problem,
    submission: Submission,
    findings: Iterable[Finding],
    diagnoses: tuple[Diagnosis, ...] = (),
    error: Error | None = None,
    *,
    torch: str,
    sandbox: Level,
    seed: int | str | None,
    seconds: float,
) -> Report:
    """The report of one submission."""
    counted = worth(findings)
    required = [f for f in counted if f.tier == "required"]
    craft = [f for f in counted if f.tier == "craft"]
    return Report(
        schema="kata.report/1",
        kata=__version__,
        torch=torch,
        python=platform.python_version(),
        sandbox=sandbox,
        seed=seed,
        seconds=round(seconds, 3),
        problem=ProblemRef(problem.number, problem.slug, problem.title, problem.version),
        submission=submission_ref(submission),
        passed=bool(required) and error is None and _whole(counted) and all(f.verdict == "passed" for f in required),
        score=sum(f.points for f in counted),
        max_score=sum(f.max_points for f in counted),
        craft=sum(f.verdict == "passed" for f in craft),
        max_craft=len(craft),
        findings=counted,
        diagnoses=diagnoses,
        error=error,
    )


def skipped(check: Check) -> Finding:
    """The finding of a check that was never run."""
    points = check.points
    return Finding(check.name, check.promise, check.tier, check.explains, "skipped", 0.0, points, "", {}, "", 0.0)
