"""What a result depends on, and the seeds of a class."""

import hashlib
from importlib.metadata import PackageNotFoundError, version

import msgspec
from msgspec import Struct

from kata import __version__
from kata.model import Level, Limits, Problem


class Basis(Struct, frozen=True):
    """Everything but the source that a verdict may depend on."""

    problem: int
    version: int
    seed: int
    limits: Limits
    kata: str
    torch: str
    sandbox: Level

    def key(self, content: str) -> str:
        """The key of the result for a source of this hash."""
        return hashlib.sha256(msgspec.json.encode((content, self))).hexdigest()


def basis(secret: str, assignment: str, problem: Problem, limits: Limits, sandbox: Level) -> Basis:
    """The basis on which answers to a problem are judged today."""
    seed = derived(secret, assignment, problem.number)
    return Basis(problem.number, problem.version, seed, limits, __version__, torch_version(), sandbox)


def derived(secret: str, assignment: str, problem: int) -> int:
    """A 63-bit seed for one problem of one assignment; the secret can't be worked out from it."""
    digest = hashlib.blake2b(f"{assignment}/{problem}".encode(), key=bytes.fromhex(secret), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1


def torch_version() -> str:
    """The version of the installed torch, without importing it."""
    try:
        return version("torch")
    except PackageNotFoundError:
        return ""


def differences(old: Basis, new: Basis) -> str:
    """What changed between two bases, in words; the seed is never told."""
    names = {"version": "problem version", "kata": "kata", "torch": "torch", "sandbox": "sandbox"}
    told = [f"{word} {a} → {b}" for n, word in names.items() if (a := getattr(old, n)) != (b := getattr(new, n))]
    told += ["limits"] * (old.limits != new.limits) + ["seed"] * (old.seed != new.seed)
    return ", ".join(told) or "how results are filed"  # a field that did not exist then
