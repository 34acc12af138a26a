"""Where there is no fork: judge and child as programs of their own, each importing torch, side by side."""

import os
import select
import socket

from kata.zygote.confine import die_with_parent
from kata.zygote.handles import Starts
from kata.zygote.start import import_torch

MEMORY_MIB = 1024


def main(role: str, *args: str) -> None:
    """Runs as the judge (`judge CHANNEL`) or as a learner's child (`child CHANNEL OUTPUT MEMORY`)."""
    die_with_parent()
    if _is_left(int(args[0])):  # it ended before it could take us along
        return
    if role == "judge":
        _judge(int(args[0]))
    else:
        _child(int(args[0]), int(args[1]), int(args[2]))
    os._exit(0)


def _is_left(channel: int) -> bool:
    """Whether the other end of a channel is closed, whatever may still lie in it."""
    if not hasattr(select, "poll"):
        return False
    poll = select.poll()
    poll.register(channel, 0)
    return any(event & select.POLLHUP for _, event in poll.poll(0))


def _judge(channel: int) -> None:
    starts = Starts()
    starts.ahead(MEMORY_MIB)
    import_torch()
    from kata.zygote.service import serve_with

    serve_with(channel, starts, "process")


def _child(channel: int, output: int, memory_mib: int) -> None:
    import_torch().set_num_threads(1)
    from kata.zygote.child import run
    from kata.zygote.confine import Confinement

    run(socket.socket(fileno=channel), socket.socket(fileno=output), memory_mib, Confinement("process"))
