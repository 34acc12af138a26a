"""The command's side: starts the process that imports torch, hands it jobs and streams what a judge finds."""

import os
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from types import TracebackType
from typing import IO

from kata.errors import KataError, OwnFault
from kata.model import Job, Report
from kata.zygote.events import (
    Begun,
    Done,
    Event,
    Fault,
    Found,
    Grade,
    Row,
    Verified,
    Verify,
    Wrong,
    decode_event,
    encode,
)
from kata.zygote.frames import Channel, WireError
from kata.zygote.start import command, environment, root, torch_trouble

def can_fork() -> bool:
    """Whether judges and children are forked (Linux) or started as programs of their own (KATA_START=spawn)."""
    if os.environ.get("KATA_START") == "spawn":
        return False
    return hasattr(os, "fork") and hasattr(socket, "send_fds") and _has("fcntl") and _has("resource")


def _has(module: str) -> bool:
    try:
        __import__(module)
    except ImportError:
        return False
    return True


class Engine:
    """The processes that grade; starting them returns at once, and closing takes every one of them along."""

    def __init__(self) -> None:
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        ours, theirs = socket.socketpair()
        self._channel = Channel(ours)
        self._control: socket.socket | None = None
        if can_fork():
            self._control, control = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            self._process = self._start(control, "server", str(control.fileno()))
            control.close()
            socket.send_fds(self._control, [b"judge"], [theirs.fileno()])
        else:
            self._process = self._start(theirs, "spawned", "judge", str(theirs.fileno()))
        theirs.close()

    def _start(self, inherited: socket.socket, module: str, *args: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            command(module, *args),
            pass_fds=[inherited.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
            env=environment(),
            cwd=root(),
            start_new_session=True,
        )

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def grade(self, job: Job) -> Iterator[Begun | Found | Done]:
        """Judges one submission and yields what is found, the report last."""
        for event in self._events(Grade(job)):
            if isinstance(event, Begun | Found | Done):
                yield event
            if isinstance(event, Done):
                return

    def report(self, job: Job) -> Report:
        """Judges one submission."""
        return next(event.report for event in self.grade(job) if isinstance(event, Done))

    def verify(self, track: str, number: int, seeds: int) -> Iterator[Row | Verified]:
        """Proves a problem's grader and yields one row for each thing tried."""
        for event in self._events(Verify(track, number, seeds)):
            if isinstance(event, Row | Verified):
                yield event
            if isinstance(event, Verified):
                return

    def _events(self, order: Grade | Verify) -> Iterator[Event]:
        try:
            self._channel.send(encode(order))
            while (frame := self._channel.receive()) is not None:
                event = decode_event(frame[0])
                if isinstance(event, Fault):
                    raise OwnFault(event.text)
                if isinstance(event, Wrong):
                    raise KataError(event.text)
                yield event
        except (ConnectionError, WireError) as broken:
            raise self._lost() from broken
        raise self._lost()

    def _lost(self) -> Exception:
        """Why the judge is gone."""
        if self._control is not None:
            self._control.close()  # the zygote may have outlived its judge
        self._process.wait(timeout=30)
        self._errors.seek(0)
        text = self._errors.read().decode("utf-8", "replace")
        last = text.strip().splitlines()[-1:] or [f"it ended with code {self._process.returncode}"]
        if trouble := torch_trouble(text):
            return KataError(trouble)
        return OwnFault(f"the judge's process ended unexpectedly: {last[0]}\n{text}")

    def close(self) -> None:
        """Closes our ends, which ends every process behind them."""
        self._channel.sock.close()
        if self._control is not None:
            self._control.close()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self._errors.close()
