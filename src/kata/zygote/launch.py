"""The command's side: starts the process that imports torch, hands it jobs and streams what a judge finds."""

import contextlib
import os
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import IO

from kata.errors import KataError, OwnFault
from kata.model import Job, Limits, Report
from kata.zygote.events import (
    Begun,
    Curve,
    Done,
    Event,
    Fault,
    Finished,
    Found,
    Grade,
    Lab,
    Row,
    Step,
    Verified,
    Verify,
    Wrong,
    decode_event,
    encode,
)
from kata.zygote.frames import Channel, WireError
from kata.zygote.start import command, environment, root, torch_trouble

LAST_WORDS_SECONDS = 1.0


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


class Seat:
    """One judge, which serves jobs one after the other over its own channel."""

    def __init__(self, sock: socket.socket, lost: Callable[[], Exception]) -> None:
        self._channel, self._lost = Channel(sock), lost
        self._owed = False  # whether the end of an order is still to come
        self.used = False

    def grade(self, job: Job, limits: Limits | None = None) -> Iterator[Begun | Found | Done]:
        """Judges one submission and yields what is found, the report last."""
        return self._grade(Grade(job, limits))

    def report(self, job: Job, limits: Limits | None = None) -> Report:
        """Judges one submission."""
        return next(event.report for event in self._grade(Grade(job, limits, live=False)) if isinstance(event, Done))

    def _grade(self, order: Grade) -> Iterator[Begun | Found | Done]:
        for event in self.events(order):
            if isinstance(event, Begun | Found | Done):
                yield event
            if isinstance(event, Done):
                return

    def events(self, order: Grade | Verify | Lab) -> Iterator[Event]:
        """Sends an order and yields what the judge says; raises OwnFault when it is gone."""
        try:
            while self._owed and self._next() is not None:
                pass  # what is left of an order that its caller has given up
            self._channel.send(encode(order))
            self._owed = self.used = True
            while (event := self._next()) is not None:
                if isinstance(event, Fault):
                    raise OwnFault(event.text)
                if isinstance(event, Wrong):
                    raise KataError(event.text)
                yield event
        except (OSError, WireError) as broken:
            raise self._lost() from broken
        raise self._lost()

    def _next(self) -> Event | None:
        frame = self._channel.receive()
        event = None if frame is None else decode_event(frame[0])
        self._owed = self._owed and not isinstance(event, Done | Verified | Finished | Wrong | Fault)
        return event

    def close(self) -> None:
        """Closes our end, which ends the judge and wakes a thread that waits for it."""
        with contextlib.suppress(OSError):
            self._channel.sock.shutdown(socket.SHUT_RDWR)
        self._channel.sock.close()


class Engine:
    """The processes that grade; starting them returns at once, and closing takes every one of them along."""

    def __init__(self, warm: bool = False) -> None:
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        self._control: socket.socket | None = None
        self._processes: list[subprocess.Popen[bytes]] = []
        self._seats: list[Seat] = []
        if can_fork():
            self._control, control = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            self._start(control, "server", str(control.fileno()))
            control.close()
        if warm:
            self.warm()
        self._first = self.seat()

    @property
    def first(self) -> Seat:
        """The judge that is there from the start."""
        return self._first

    def seat(self) -> Seat:
        """One more judge: a fork of the process that has torch, or, where there is no fork, a program of its own."""
        return self._seated(b"judge")

    def renew(self) -> None:
        """Drops what every judge is doing, a hung answer included: the next job goes to a new judge."""
        for seat in self._seats:
            seat.close()
        self._seats.clear()
        if self._control is None:
            for process in self._processes:
                process.kill()
        self._first = self._seated(b"again")

    def warm(self) -> None:
        """Lets later judges and children find imported what is too costly for a single grade."""
        if self._control is not None:
            self._control.send(b"warm")

    def _seated(self, request: bytes) -> Seat:
        ours, theirs = socket.socketpair()
        try:
            if self._control is None:
                self._start(theirs, "spawned", "judge", str(theirs.fileno()))
            else:
                socket.send_fds(self._control, [request], [theirs.fileno()])
        except OSError as gone:
            ours.close()
            raise self._lost() from gone
        finally:
            theirs.close()
        self._seats.append(Seat(ours, self._lost))
        return self._seats[-1]

    def _start(self, inherited: socket.socket, module: str, *args: str) -> None:
        process = subprocess.Popen(
            command(module, *args),
            pass_fds=[inherited.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
            env=environment(),
            cwd=root(),
            start_new_session=True,
        )
        self._processes.append(process)

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def grade(self, job: Job, limits: Limits | None = None) -> Iterator[Begun | Found | Done]:
        """Judges one submission with the first judge and yields what is found, the report last."""
        return self._first.grade(job, limits)

    def report(self, job: Job, limits: Limits | None = None) -> Report:
        """Judges one submission with the first judge."""
        return self._first.report(job, limits)

    def verify(self, track: str, number: int, seeds: int, record: bool = False) -> Iterator[Row | Verified]:
        """Proves a problem's grader and yields one row for each thing tried."""
        for event in self._first.events(Verify(track, number, seeds, record)):
            if isinstance(event, Row | Verified):
                yield event
            if isinstance(event, Verified):
                return

    def lab(self, order: Lab) -> Iterator[Step | Curve | Finished]:
        """Runs an experiment with the first judge's process and yields how it goes."""
        for event in self._first.events(order):
            if isinstance(event, Step | Curve | Finished):
                yield event
            if isinstance(event, Finished):
                return

    def _lost(self) -> Exception:
        """Why a judge is gone: with the process that forked it, or alone."""
        process = self._processes[-1]
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=LAST_WORDS_SECONDS)
        self._errors.seek(0)
        text = self._errors.read().decode("utf-8", "replace")
        ended = "it was killed" if process.returncode is None else f"it ended with code {process.returncode}"
        if trouble := torch_trouble(text):
            return KataError(trouble)
        last = text.strip().splitlines()[-1:] or [ended]
        return OwnFault(f"the judge's process ended unexpectedly: {last[0]}\n{text}")

    def close(self) -> None:
        """Closes our ends, which ends every process behind them; one that nobody has used yet is not waited for."""
        for seat in self._seats:
            seat.close()
        if self._control is not None:
            self._control.close()
        for process in self._processes:
            if not any(seat.used for seat in self._seats):
                process.kill()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
        self._errors.close()
