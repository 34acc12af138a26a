"""The zygote: imports torch once, then forks judges and, at their request, learners' children. It knows nothing else.

It is started by exec with a small environment of its own and speaks over sockets that keep message boundaries:

    command → zygote   "judge" with a descriptor      fork a judge that speaks over it
    command → zygote   "again" with a descriptor      end all judges with their children, then fork one
    command → zygote   "warm"                         import what the meta device needs, for every later fork
    judge   → zygote   "child <memory MiB> [package…]" fork a child that may also read these packages
                                                      → "<pid>" with its channel and its output
    judge   → zygote   "reap <pid>"                   wait for a child → "<exit code>"

It ends, and takes everyone along, when the command's end of its socket closes.
"""

import contextlib
import gc
import os
import selectors
import signal
import socket
from collections.abc import Callable
from typing import NamedTuple

from kata.zygote import confine
from kata.zygote.endings import kill
from kata.zygote.start import import_torch

MESSAGE = 4096


class Asked(NamedTuple):
    """A child that a judge asks for."""

    judge: socket.socket
    memory_mib: int
    allows: tuple[str, ...]  # packages that its problem allows


class Zygote:
    """The forks that are alive, and who asked for them."""

    def __init__(self, control: socket.socket, confinement: confine.Confinement) -> None:
        self._control = control
        self._level = confinement.level
        self._confinements: dict[tuple[str, ...], confine.Confinement] = {(): confinement}  # by what is allowed
        self._half = confine.half_of_memory()
        self._selector = selectors.DefaultSelector()
        self._selector.register(control, selectors.EVENT_READ)
        self._judges: dict[socket.socket, int] = {}
        self._children: dict[int, socket.socket] = {}  # pid → the judge that it belongs to
        self._memory: dict[int, int] = {}  # pid → the MiB that it may use
        self._waiting: list[Asked] = []  # children that would not fit beside the others

    def serve(self) -> None:
        """Answers until the command is gone."""
        while True:
            for key, _ in self._selector.select():
                sock = key.fileobj
                assert isinstance(sock, socket.socket)
                if sock is self._control:
                    if not self._command_says():
                        return
                elif sock in self._judges:
                    self._judge_says(sock)

    def _command_says(self) -> bool:
        try:
            message, fds, _, _ = socket.recv_fds(self._control, MESSAGE, 1)
        except OSError:
            return False
        match message, fds:
            case b"judge", [channel]:
                self._fork_judge(channel)
            case b"again", [channel]:
                self._end_judges()
                self._fork_judge(channel)
            case b"warm", []:
                warm_up()
        return bool(message)

    def _end_judges(self) -> None:
        for judge, pid in list(self._judges.items()):
            kill(pid)
            self._forget(judge)

    def _fork_judge(self, channel: int) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)

        def judge() -> None:
            confine.die_with_parent()
            confine.close_all_but({channel, theirs.fileno()})
            from kata.zygote.service import serve  # only now: the zygote must hold no grader's code

            serve(channel, theirs, self._level)

        self._judges[ours] = fork(judge)
        theirs.close()
        os.close(channel)
        self._selector.register(ours, selectors.EVENT_READ)

    def _judge_says(self, judge: socket.socket) -> None:
        try:
            words = judge.recv(MESSAGE).split()
        except OSError:
            words = []
        match words:
            case [b"child", memory, *allows]:
                self._waiting.append(Asked(judge, int(memory), tuple(name.decode() for name in allows)))
            case [b"reap", pid]:
                judge.send(str(self._reap(int(pid))).encode())
            case _:
                self._forget(judge)
        self._fork_waiting()

    def _fork_waiting(self) -> None:
        """Forks the children that are asked for, as long as all together may use no more than half of the memory."""
        while self._waiting and (
            not self._memory or sum(self._memory.values()) + self._waiting[0].memory_mib <= self._half
        ):
            self._fork_child(self._waiting.pop(0))

    def _confined(self, allows: tuple[str, ...]) -> confine.Confinement:
        if allows not in self._confinements:
            self._confinements[allows] = confine.widened(self._confinements[()], allows)
        return self._confinements[allows]

    def _fork_child(self, asked: Asked) -> None:
        confinement = self._confined(asked.allows)
        channel, theirs = socket.socketpair()
        output, printed = socket.socketpair()

        def child() -> None:
            from kata.zygote.child import run

            run(theirs, printed, asked.memory_mib, confinement)

        pid = fork(child)
        self._children[pid], self._memory[pid] = asked.judge, asked.memory_mib
        socket.send_fds(asked.judge, [str(pid).encode()], [channel.fileno(), output.fileno()])
        for sock in (channel, theirs, output, printed):
            sock.close()

    def _reap(self, pid: int) -> int:
        if self._children.pop(pid, None) is None:
            return 0
        del self._memory[pid]
        kill(pid)
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

    def _forget(self, judge: socket.socket) -> None:
        self._selector.unregister(judge)
        judge.close()
        self._waiting = [asked for asked in self._waiting if asked.judge is not judge]
        for pid in [pid for pid, owner in self._children.items() if owner is judge]:
            self._reap(pid)
        os.waitpid(self._judges.pop(judge), 0)

    def close(self) -> None:
        """Ends every fork."""
        for pid in (*self._judges.values(), *self._children):
            kill(pid)


def fork(run: Callable[[], None]) -> int:
    """Runs a function in a fork that never returns here; the parent gets its pid."""
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        run()
        code = 0
    except BaseException:
        import traceback

        with contextlib.suppress(BaseException):
            traceback.print_exc()
    finally:
        os._exit(code)


def warm_up() -> None:
    """Gets ready for calls on the meta device and for a great many forks."""
    gc.disable()
    import kata.zygote.child  # noqa: F401
    from kata.zygote import meta, pages

    meta.ready()
    gc.enable()
    gc.freeze()
    pages.ready()


def main(control: str) -> None:
    """Serves the command at the other end of the descriptor `control`."""
    gc.disable()  # nothing of an import is garbage: collecting in between costs a tenth of it
    torch = import_torch()
    torch.set_num_threads(1)
    torch.ones(1) + 1  # the first operation looks at the processor, in /proc: children find it done
    confinement = confine.prepare()
    gc.enable()
    gc.freeze()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the command's to handle: it closes its end
    zygote = Zygote(socket.socket(fileno=int(control)), confinement)
    try:
        zygote.serve()
    finally:
        zygote.close()
        os._exit(0)
