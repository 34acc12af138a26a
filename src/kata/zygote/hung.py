"""Where a child stands that gives no answer: a signal makes it write its stack, and the judge reads the lines there."""

import faulthandler
import os
import re
import select
import signal
import socket
import time

from kata.model import Line
from kata.zygote.source import Source

ASKING = getattr(signal, "SIGUSR1", None)  # where there is none, nothing is said
PATIENCE = 0.2
MOST = 1 << 16  # bytes that are read; a stack has at most 100 frames
STEPS = 8
PLACE = re.compile("<[a-z]+>")  # <module>, <lambda> and the like
STEP = re.compile(rb'^  File "(.{1,600})", line (\d{1,7}) in (.{1,200})$', re.MULTILINE)


def tell() -> None:
    """In the child: the signal writes the Python stack to stderr, whatever the code is busy with."""
    if ASKING is not None:
        faulthandler.register(ASKING, file=2, all_threads=False)


def ask(pid: int, output: socket.socket, source: Source) -> tuple[Line, ...]:
    """The lines of the learner's file at which a child is, outermost first; none where it does not say.

    It is the child's own word, so only the numbers are taken, and names that stand in the file.
    """
    if ASKING is None:
        return ()
    try:
        os.kill(pid, ASKING)
    except OSError:
        return ()
    own = ascii(source.filename)[1:-1].encode()
    found = [_line(int(number), name, source) for file, number, name in STEP.findall(_dump(output)) if file == own]
    return tuple(reversed([line for line in found if line is not None][:STEPS]))


def _line(number: int, function: bytes, source: Source) -> Line | None:
    text, name = source.text.decode("utf-8", "replace"), function.decode("ascii", "replace").rpartition(".")[2]
    lines = text.splitlines()
    if not 0 < number <= len(lines):
        return None
    return Line(number, name if name in text or PLACE.fullmatch(name) else "?", lines[number - 1].strip()[:200])


def _dump(output: socket.socket) -> bytes:
    """What comes within the patience; a stack comes in one go."""
    dump, until = bytearray(), time.monotonic() + PATIENCE
    while len(dump) < MOST and select.select([output], [], [], max(0.0, until - time.monotonic()))[0]:
        try:
            data = output.recv(MOST)
        except OSError:
            break
        if not data:
            break
        dump += data
        if STEP.search(dump):
            until = min(until, time.monotonic() + PATIENCE / 10)
    return bytes(dump)
