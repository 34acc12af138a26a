"""The three standard streams: always open, in UTF-8, and silent once they can't be written."""

import contextlib
import errno
import os
import sys

FULL = (errno.EPIPE, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def ready() -> None:
    """Puts the null device where a stream was closed, so that no file or socket of ours takes its number."""
    for fd, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(fd)
        except OSError:
            silence(fd)
        if getattr(sys, name) is None:
            setattr(sys, name, open(fd, "w" if fd else "r", encoding="utf-8", closefd=False))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def lost(fault: Exception) -> bool:
    """Whether a fault says that stdout can't be written any more; what is left for it goes nowhere then.

    Faults of files that we open ourselves carry the file's name.
    """
    if not isinstance(fault, OSError) or fault.filename is not None or fault.errno not in FULL:
        return False
    silence(1)
    return True


def silence(fd: int) -> None:
    """Sends what is written to this descriptor nowhere."""
    null = os.open(os.devnull, os.O_RDWR)
    if null != fd:
        os.dup2(null, fd)
        os.close(null)
    with contextlib.suppress(OSError, ValueError):
        os.set_inheritable(fd, True)
