"""A seccomp filter made from the table in syscalls.py: a small program in the kernel's packet filter language.

Packed here, without libseccomp: it is four kinds of instruction, needs no shared library (whose search starts helper
programs), and so `strict` needs nothing but a kernel.
"""

import ctypes
import errno
import os
import platform
import struct
import sys
from collections.abc import Iterator

from msgspec import Struct

from kata.zygote.landlock import libc
from kata.zygote.numbers import MACHINES, NUMBERS
from kata.zygote.syscalls import GROUPS, LAST, OWN_PID, RULES, Rule

LOAD, EQUAL, ABOVE, NOT_BELOW, BITS, RETURN = 0x20, 0x15, 0x25, 0x35, 0x45, 0x06
NUMBER, MACHINE = 0, 4  # where struct seccomp_data holds them
ALLOW, REFUSE, KILL = 0x7FFF0000, 0x00050000, 0x80000000
AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
FOREIGN = 0x40000000  # numbers of the x32 interface, another way into the same kernel
SET_FILTER, ASK_STATE, SET_NO_NEW_PRIVILEGES = 22, 21, 38  # prctl
BY_PROGRAM = 2
INSTRUCTION = struct.Struct("=HBBI")
Instruction = tuple[int, int, int, int]


class Filter(Struct, frozen=True):
    """A program, and where the number of the process must be filled in."""

    code: bytes
    holes: tuple[int, ...]


def available() -> None:
    """Raises OSError where this kernel, machine or interpreter can't be filtered."""
    if sys.platform != "linux" or platform.machine() not in MACHINES or sys.maxsize < 2**32:
        raise OSError(f"no table of system calls for {sys.platform} on {platform.machine()}")
    prctl(ASK_STATE)


def build(machine: str) -> Filter:
    """The filter for a machine, in the order: foreign interfaces, newer numbers, groups, rules, everything else."""
    code: list[Instruction] = [
        (LOAD, 0, 0, MACHINE),
        (EQUAL, 1, 0, AUDIT[machine]),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER),
        (NOT_BELOW, 0, 1, FOREIGN),
        (RETURN, 0, 0, KILL),
        (ABOVE, 0, 1, LAST),
        (RETURN, 0, 0, REFUSE | errno.ENOSYS),
        *_groups(machine),
        *_rules(machine),
        (RETURN, 0, 0, REFUSE | errno.EPERM),
    ]
    own = OWN_PID & 0xFFFFFFFF
    holes = tuple(i * INSTRUCTION.size + 4 for i, (op, _, _, k) in enumerate(code) if op == EQUAL and k == own)
    return Filter(b"".join(INSTRUCTION.pack(*one) for one in code), holes)


def _numbers(names: str, machine: str) -> Iterator[int]:
    for name in names.split():
        number = NUMBERS[name][MACHINES[machine]]
        if number is not None:
            yield number


def _groups(machine: str) -> Iterator[Instruction]:
    endings = {"allow": ALLOW, "kill": KILL, "unknown": REFUSE | errno.ENOSYS}
    for group in GROUPS:
        for number in _numbers(group.calls, machine) if group.verdict in endings else ():
            yield (EQUAL, 0, 1, number)
            yield (RETURN, 0, 0, endings[group.verdict])


def _rules(machine: str) -> Iterator[Instruction]:
    """For each call that has rules: every one of them in turn, and leave to go on when all hold."""
    for name in dict.fromkeys(rule.call for rule in RULES):
        for number in _numbers(name, machine):
            body = [one for rule in RULES if rule.call == name for one in _rule(rule)]
            yield (EQUAL, 0, len(body) + 1, number)
            yield from body
            yield (RETURN, 0, 0, ALLOW)


def _rule(rule: Rule) -> list[Instruction]:
    low, high = 16 + 8 * rule.argument, 20 + 8 * rule.argument
    refusal = (RETURN, 0, 0, REFUSE | rule.refusal)
    if rule.unless:
        return [(LOAD, 0, 0, low), (BITS, 0, 1, rule.values[0]), refusal]
    if rule.values == (0,):
        return [(LOAD, 0, 0, low), (EQUAL, 0, 2, 0), (LOAD, 0, 0, high), (EQUAL, 1, 0, 0), refusal]
    last = len(rule.values)
    tests = [(EQUAL, last - i, 0, value & 0xFFFFFFFF) for i, value in enumerate(rule.values)]
    return [(LOAD, 0, 0, low), *tests, refusal]


def install(program: Filter) -> None:
    """Puts this process under the filter, for good; sets no_new_privs first."""
    code = bytearray(program.code)
    for hole in program.holes:
        struct.pack_into("=I", code, hole, os.getpid())
    held = ctypes.create_string_buffer(bytes(code), len(code))
    header = ctypes.create_string_buffer(struct.pack("@HP", len(code) // INSTRUCTION.size, ctypes.addressof(held)))
    prctl(SET_NO_NEW_PRIVILEGES, 1)
    prctl(SET_FILTER, BY_PROGRAM, ctypes.addressof(header))


def prctl(option: int, *arguments: int) -> None:
    """Changes or asks about this process; raises OSError."""
    given = [ctypes.c_ulong(argument) for argument in (*arguments, 0, 0, 0, 0)[:4]]
    if libc().prctl(ctypes.c_int(option), *given) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
