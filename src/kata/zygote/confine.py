"""What a learner's child may not do. Level `process`: limits of its own, a session of its own, no way back."""

import contextlib
import os
import signal
import socket
import sys

from kata.model import Level

LEVEL: Level = "process"
PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
FILE_CAP = 0
OPEN_FILES = 64


def detach(keep: set[int]) -> None:
    """Leaves the parent's session, terminal, descriptors, folder, environment and signal handlers behind."""
    with contextlib.suppress(OSError):
        os.setsid()
    die_with_parent()
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGPIPE):
        signal.signal(name, signal.SIG_DFL if name != signal.SIGPIPE else signal.SIG_IGN)
    os.environ.clear()
    os.chdir("/")
    close_all_but(keep)


def close_all_but(keep: set[int]) -> None:
    """Closes every descriptor above stderr that is not in `keep`."""
    last = 2
    for fd in sorted(fd for fd in keep if fd > 2):
        os.closerange(last + 1, fd)
        last = fd
    os.closerange(last + 1, max(os.sysconf("SC_OPEN_MAX") if last < 0 else 4096, last + 2))


def die_with_parent() -> None:
    """Asks the kernel to kill this process when its parent ends (Linux)."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def redirect(output: socket.socket) -> None:
    """Sends stdout and stderr to the judge, who keeps the first part; stdin is empty."""
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    if null > 2:
        os.close(null)
    os.dup2(output.fileno(), 1)
    os.dup2(output.fileno(), 2)
    utf8 = {"encoding": "utf-8", "errors": "backslashreplace"}
    sys.stdin = open(0, closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", closefd=False, **utf8)  # type: ignore[call-overload]  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, closefd=False, **utf8)  # type: ignore[call-overload]  # noqa: SIM115


def limit(memory_mib: int) -> None:
    """Caps memory (beyond what is mapped already), file sizes, open files and core dumps, where the system can."""
    try:
        import resource
    except ImportError:
        return
    mapped = _mapped_bytes()
    cap = mapped + memory_mib * 2**20 if mapped else resource.RLIM_INFINITY
    wanted = (("AS", cap), ("FSIZE", FILE_CAP), ("NOFILE", OPEN_FILES), ("CORE", 0))
    for name, most in wanted:
        with contextlib.suppress(AttributeError, ValueError, OSError):
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (most, most))


def _mapped_bytes() -> int:
    try:
        with open("/proc/self/statm", "rb") as pages:  # noqa: PTH123
            return int(pages.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0
