"""Which level of confinement this machine can give, why, and how to get more; found out without importing torch."""

import os
import sys

from msgspec import Struct

from kata.model import Level
from kata.zygote import landlock, seccomp

ORDER: tuple[Level, ...] = ("inline", "process", "seccomp", "strict")
SWITCH = "KATA_SANDBOX"  # lowers the level, for tests and odd machines; never raises it
CONTAINER = "run it in the container that SECURITY.md describes"


class Standing(Struct, frozen=True):
    """A level, what it means and why it is not higher, and what would raise it."""

    level: Level
    reason: str
    more: str = ""


def standing(forks: bool = True) -> Standing:
    """The best level that this machine can give."""
    lowered = os.environ.get(SWITCH, "strict")
    most: Level = next((level for level in ORDER if level == lowered), "strict")
    found = _best(forks)
    if ORDER.index(most) >= ORDER.index(found.level):
        return found
    reason = f"{SWITCH}={most} asks for no more, though this machine could give {found.level}"
    return Standing("process" if most == "inline" else most, reason, f"unset {SWITCH}")


def _best(forks: bool) -> Standing:
    if sys.platform != "linux":
        return Standing("process", f"{sys.platform} has neither Landlock nor seccomp", CONTAINER)
    if not forks:
        return Standing("process", "processes can't be forked here", CONTAINER)
    try:
        seccomp.available()
    except OSError as why:
        return Standing("process", f"system calls can't be filtered: {why}", CONTAINER)
    try:
        version = landlock.version()
        os.close(landlock.ruleset(()))  # a kernel that knows it may still refuse it
    except OSError as why:
        text = f"no Landlock here ({why}), so an answer can read what its user can read"
        return Standing("seccomp", text, "Linux 5.13 or newer has Landlock; a container must not forbid it")
    return Standing("strict", f"Landlock (version {version}) and a list of allowed system calls")
