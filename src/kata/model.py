"""The nouns, all frozen: what a problem is, what is asked of an answer, what came back, what is reported."""

from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

Tier = Literal["required", "craft"]
Verdict = Literal["passed", "failed", "crashed", "timed_out", "died", "skipped"]
Level = Literal["strict", "seccomp", "process", "inline"]
FileError = Literal["missing_file", "unreadable", "too_large", "not_python"]
CodeError = Literal["syntax", "import", "missing_function", "signature", "not_written"]
ErrorKind = Literal[FileError, CodeError, "ours"]


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """What an answer may use: CPU seconds a call, wall seconds as a backstop, memory, and seconds in all its checks."""

    cpu_seconds: float = 4.0
    wall_seconds: float = 60.0
    memory_mib: int = 1024
    submission_seconds: float = 120.0  # by the clock, so that they bound the CPU seconds of all calls as well


class Problem(Struct, frozen=True):
    """One exercise, as far as its three files tell without being imported."""

    number: int
    slug: str
    title: str
    statement: str
    functions: tuple[str, ...]
    section: str
    level: int
    after: tuple[int, ...]
    version: int
    forbids: tuple[str, ...]
    allows: tuple[str, ...]  # packages that an answer may import beside torch and numpy
    limits: Limits
    question: Path
    answer: Path
    grader: Path

    @property
    def name(self) -> str:
        """The file name without its ending, as in `29_rotary_positional_embeddings`."""
        return self.question.stem


class Call(Struct, frozen=True):
    """One call that a check wants made, and what the judge expects of the reply."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    function: str = ""  # "" is the problem's first function
    want: Any = None  # a value, or a function that is given the judge's own clones
    like: Any = None  # a tensor (or tree) of the shape and dtype that must come back
    raises: type[BaseException] | None = None
    cotangent: Any = None  # ask for the gradient of (result * cotangent).sum() in every floating input
    under: tuple[str, ...] = ()  # names of contexts, see zygote/perform.py
    on: str = "cpu"
    whole: bool = False  # the check is sent the whole Reply instead of its value
    within: "Close | None" = None  # overrides the problem's own tolerance


Checking = Generator[Call, Any, None]
Close = Callable[[Any, Any], Any]  # (wanted tensor, dtype that must come back) → largest error allowed, per element


class Given(Struct, frozen=True):
    """An argument that is a function of the problem's own; its source travels, and only torch and math are in reach."""

    name: str
    source: str


class Blocks(Struct, frozen=True):
    """An argument that is an iterator of tensors, each overwritten as soon as the next is drawn."""

    blocks: tuple[Any, ...]


class Seeded(Struct, frozen=True):
    """An argument that is a torch.Generator in a known state."""

    seed: int


class Check(Struct, frozen=True):
    """One promise of a problem, as a generator that yields calls and raises Failed."""

    name: str
    promise: str
    tier: Tier
    explains: bool
    points: float
    run: Callable[[Any], Checking]


class Mistake(Struct, frozen=True):
    """A known wrong variant: a setting of the references' knobs, or a function of its own."""

    name: str
    text: str
    tier: Tier = "required"
    knobs: dict[str, Any] = {}
    function: str = ""  # which function of the problem `make` replaces; "" is the first
    make: Callable[[], Callable[..., Any]] | None = None  # a fresh function, with no memory of earlier calls
    family: str = ""  # mistakes of one family can't be told apart by any call


class Accepted(Struct, frozen=True):
    """Another right formulation, which must pass every check."""

    name: str
    function: Callable[..., Any]


class Hint(Struct, frozen=True):
    """One step of help; `answers` names the mistakes that it speaks to (none: it belongs to the general ladder)."""

    text: str
    answers: tuple[str, ...] = ()


class Choice(Struct, frozen=True):
    """One answer of a quiz question, with the reason why it is right or wrong."""

    text: str
    why: str
    right: bool = False


class Question(Struct, frozen=True):
    """A quiz question with exactly one right choice."""

    text: str
    choices: tuple[Choice, ...]


class Grader(Struct, frozen=True):
    """What a grader/ file holds once it is loaded: only the judge ever has one."""

    problem: Problem
    references: dict[str, Callable[..., Any]]  # by function name
    close: Close
    checks: tuple[Check, ...]
    mistakes: tuple[Mistake, ...]
    accepted: tuple[Accepted, ...]
    hints: tuple[Hint, ...]
    quiz: tuple[Question, ...]
    reading: Callable[[Any, Any], list[str]] | None = None  # what (got, wanted) values say beyond their numbers


class Opaque(Struct, frozen=True):
    """Stands in a reply for a value that is neither a tensor nor a plain value."""

    kind: str
    text: str = ""


class Ghost(Struct, frozen=True):
    """Stands in a reply for a tensor without numbers: on the meta device, or on one that can't be sent."""

    dtype: str
    shape: tuple[int, ...]
    device: str


class Line(Struct, frozen=True):
    """One line of the learner's file in a traceback."""

    number: int
    function: str
    text: str


class Raised(Struct, frozen=True):
    """An exception of the learner's code: names of its classes from its own to BaseException, text, their lines."""

    kinds: tuple[str, ...]
    message: str
    lines: tuple[Line, ...] = ()


class Used(Struct, frozen=True):
    """How the answer used an argument that is more than data: blocks drawn, or calls of a given callable."""

    name: str
    count: int


class Reply(Struct, frozen=True):
    """How one call ended. Everything but the numbers in `value` and `gradients` is the child's own word."""

    ended: Literal["value", "raised", "timed_out", "died"]
    value: Any = None
    gradients: tuple[Any, ...] | None = None  # one for each floating input, None where none arrived
    raised: Raised | None = None
    changed: tuple[str, ...] = ()  # inputs that the call wrote to
    state: tuple[str, ...] = ()  # global settings of torch that the call left changed
    used: tuple[Used, ...] = ()
    torch_calls: int = -1
    audit: tuple[tuple[str, int], ...] = ()  # (what leaves the device, line)
    shortcuts: tuple[tuple[str, int], ...] = ()  # (forbidden name, line)
    message: str = ""
    at: tuple[Line, ...] = ()  # where a call that took too long was then


class ProblemRef(Struct, frozen=True, forbid_unknown_fields=True):
    """Which problem was judged."""

    number: int
    slug: str
    title: str
    version: int


class SubmissionRef(Struct, frozen=True, forbid_unknown_fields=True):
    """Which file was judged, and whose it is where that is known."""

    student: str | None
    path: str
    sha256: str | None


class Finding(Struct, frozen=True, forbid_unknown_fields=True):
    """What one check found."""

    check: str
    promise: str
    tier: Tier
    explains: bool
    verdict: Verdict
    points: float
    max_points: float
    message: str
    evidence: dict[str, Any]
    output: str
    seconds: float


class Diagnosis(Struct, frozen=True, forbid_unknown_fields=True):
    """A known mistake that reproduces what came back in these checks."""

    name: str
    text: str
    checks: tuple[str, ...]


class Error(Struct, frozen=True, forbid_unknown_fields=True):
    """Why a submission could not be judged at all."""

    kind: ErrorKind
    message: str
    line: int | None = None


class Report(Struct, frozen=True, forbid_unknown_fields=True):
    """The contract: every rendering, export and gradebook row works from it."""

    schema: Literal["kata.report/1"]
    kata: str
    torch: str
    python: str
    sandbox: Level
    seed: int | str | None
    seconds: float
    problem: ProblemRef
    submission: SubmissionRef
    passed: bool
    score: float
    max_score: float
    craft: int
    max_craft: int
    findings: tuple[Finding, ...]
    diagnoses: tuple[Diagnosis, ...]
    error: Error | None


class Submission(Struct, frozen=True):
    """A learner's file as read: its bytes never reach the command's own interpreter."""

    path: str
    source: bytes
    student: str | None = None
    refused: Error | None = None  # why it is not even sent to a child


class Job(Struct, frozen=True):
    """One submission for the judge."""

    track: str
    number: int
    submission: Submission
    seed: int = 0
    only: tuple[str, ...] = ()
    warm: bool = False
