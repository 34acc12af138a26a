"""What the command and a judge say to each other: jobs one way, events the other. No torch, no learner's objects."""

import msgspec
from msgspec import Struct

from kata.model import Finding, Job, Limits, Report


class Verify(Struct, frozen=True, tag="verify"):
    """Prove that a problem's grader is sound."""

    track: str
    number: int
    seeds: int
    record: bool = False


class Grade(Struct, frozen=True, tag="grade"):
    """Judge one submission, with limits other than the problem's own where a course sets them.

    `live` says every check as it is done; a class waits for reports alone.
    """

    job: Job
    limits: Limits | None = None
    live: bool = True


class LabSource(Struct, frozen=True):
    """A file that defines one function of an experiment, and whether it is the learner's own."""

    number: int
    function: str
    parameters: list[str]
    filename: str
    text: bytes
    own: bool


class Lab(Struct, frozen=True, tag="lab"):
    """Run the extrapolation experiment with these functions."""

    sources: tuple[LabSource, ...]
    steps: int


class Begun(Struct, frozen=True, tag="begun"):
    """A submission is about to be judged."""

    number: int
    checks: int


class Found(Struct, frozen=True, tag="found"):
    """One check is done."""

    finding: Finding


class Done(Struct, frozen=True, tag="done"):
    """The whole report."""

    report: Report


class Row(Struct, frozen=True, tag="row"):
    """One line of a verification: what was tried, how it went, and whether that is a failure."""

    subject: str
    outcome: str
    ok: bool
    detail: str = ""


class Verified(Struct, frozen=True, tag="verified"):
    """A verification is complete."""

    number: int
    seconds: float


class Step(Struct, frozen=True, tag="step"):
    """How far the training of one model is, and its loss."""

    name: str
    share: float
    loss: float


class Curve(Struct, frozen=True, tag="curve"):
    """Accuracy at each length; None where the encoding can't go that far."""

    name: str
    lengths: tuple[int, ...]
    accuracies: tuple[float | None, ...]
    problem: int | None = None


class Finished(Struct, frozen=True, tag="finished"):
    """An experiment is complete."""

    seconds: float


class Wrong(Struct, frozen=True, tag="wrong"):
    """Something that the user can put right, found by the judge."""

    text: str


class Fault(Struct, frozen=True, tag="fault"):
    """Our own fault, with the traceback that is to be saved."""

    text: str


Event = Begun | Found | Done | Row | Verified | Step | Curve | Finished | Wrong | Fault
encode = msgspec.msgpack.Encoder().encode
decode_job = msgspec.msgpack.Decoder(Grade | Verify | Lab).decode
decode_event = msgspec.msgpack.Decoder(Event).decode
