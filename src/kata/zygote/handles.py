"""How a judge gets learners' children: from the zygote that forked it, or, where there is no fork, by starting them."""

import os
import socket
import subprocess
import sys

from msgspec import Struct

from kata.zygote.start import command, environment, root


class Forked(Struct):
    """A child that the zygote forked."""

    pid: int
    channel: socket.socket
    output: socket.socket
    zygote: socket.socket

    def reap(self) -> int:
        """The exit code, from the zygote, whose child it is."""
        self.zygote.send(f"reap {self.pid}".encode())
        return int(_answered(self.zygote.recv(64)))


class Forks:
    """Asks the zygote for children."""

    def __init__(self, zygote: socket.socket) -> None:
        self._zygote = zygote

    def __call__(self, memory_mib: int, allows: tuple[str, ...] = ()) -> Forked:
        self._zygote.send(" ".join(("child", str(memory_mib), *allows)).encode())
        message, fds, _, _ = socket.recv_fds(self._zygote, 64, 2)
        pid = int(_answered(message))
        channel, output = (socket.socket(fileno=fd) for fd in fds)
        return Forked(pid, channel, output, self._zygote)


def _answered(message: bytes) -> bytes:
    """The zygote's answer; ConnectionError when there is none, since a judge ends with the zygote."""
    if not message:
        raise ConnectionError("the zygote is gone")
    return message


class Started(Struct):
    """A child that was started as a program of its own."""

    process: subprocess.Popen[bytes]
    channel: socket.socket
    output: socket.socket

    @property
    def pid(self) -> int:
        return self.process.pid

    def reap(self) -> int:
        """The exit code."""
        self.process.kill()
        return self.process.wait()


class Starts:
    """Starts children by exec, the first one ahead of time: it imports torch while the judge does.

    Nothing keeps them from importing what is installed, so what a problem allows makes no difference.
    """

    def __init__(self) -> None:
        self._ahead: tuple[int, Started] | None = None

    def ahead(self, memory_mib: int) -> None:
        """Starts a child that the next call with the same limit will use."""
        self._ahead = memory_mib, self._start(memory_mib)

    def __call__(self, memory_mib: int, allows: tuple[str, ...] = ()) -> Started:
        ahead, self._ahead = self._ahead, None
        if ahead is not None and ahead[0] == memory_mib:
            return ahead[1]
        if ahead is not None:
            ahead[1].reap()
        return self._start(memory_mib)

    def _start(self, memory_mib: int) -> Started:
        channel, theirs = socket.socketpair()
        output, printed = socket.socketpair()
        fds = theirs.fileno(), printed.fileno()
        for fd in fds:
            os.set_inheritable(fd, True)
        process = subprocess.Popen(
            command("spawned", "child", *map(str, fds), str(memory_mib)),
            stdin=subprocess.DEVNULL,
            env=environment(),
            cwd=root(),
            close_fds=sys.platform != "win32",
            pass_fds=fds if sys.platform != "win32" else (),
        )
        theirs.close()
        printed.close()
        return Started(process, channel, output)
