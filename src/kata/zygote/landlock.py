"""Landlock: a process gives up the file system, but for what is named; no root, no container (Linux 5.13 and newer).

Three system calls and two structures, as in the kernel's include/uapi/linux/landlock.h. Landlock adds, it can't
subtract: what is not to be read must lie outside every folder that is named.
"""

import ctypes
import functools
import os
import stat
import struct
import sys
from collections.abc import Iterable

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same on every machine
ASK_VERSION = 1
PATH_BENEATH = 1
READ_FILE, READ_DIR = 1 << 2, 1 << 3
FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 5: 16}  # kernel's version → how many kinds of access to files it knows
NETWORK = 0b11  # binding and connecting, from version 4 on
SCOPES = 0b11  # abstract sockets and signals to processes outside, from version 6 on
QUIET = 1  # from version 7 on: what is refused is not written into the machine's log


@functools.cache
def libc() -> ctypes.CDLL:
    """The C library of this process."""
    return ctypes.CDLL(None, use_errno=True)


def call(number: int, *arguments: int | bytes | None) -> int:
    """One system call; raises OSError."""
    given = [ctypes.c_long(a) if isinstance(a, int) else ctypes.c_char_p(a) for a in arguments]
    result: int = libc().syscall(ctypes.c_long(number), *given)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def version() -> int:
    """The version of Landlock that this kernel speaks; raises OSError where there is none."""
    if sys.platform != "linux":
        raise OSError(f"{sys.platform} has no Landlock")
    return call(CREATE_RULESET, None, 0, ASK_VERSION)


def ruleset(readable: Iterable[str]) -> int:
    """The descriptor of a rule set: these files and whole folders may be read, nothing else can be touched."""
    known = version()
    rights = max(bits for since, bits in FILE_RIGHTS.items() if since <= known)
    words = [(1 << rights) - 1]
    words += [NETWORK] * (known >= 4)
    words += [SCOPES] * (known >= 6)
    attributes = struct.pack(f"={len(words)}Q", *words)
    rules = call(CREATE_RULESET, attributes, len(attributes), 0)
    for path in readable:
        _allow(rules, path)
    return rules


def _allow(rules: int, path: str) -> None:
    try:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return  # nothing there that could be read
    try:
        rights = READ_FILE | READ_DIR if stat.S_ISDIR(os.fstat(fd).st_mode) else READ_FILE
        call(ADD_RULE, rules, PATH_BENEATH, struct.pack("=Qi", rights, fd), 0)
    finally:
        os.close(fd)


def restrict(rules: int) -> None:
    """Puts this process under a rule set, for good, and closes it; wants no_new_privs to be set."""
    call(RESTRICT_SELF, rules, QUIET if version() >= 7 else 0)
    os.close(rules)
