"""The judge's end of a learner's child: sends calls, waits with limits, and trusts nothing that comes back."""

import contextlib
import selectors
import socket
import time
from collections.abc import Callable
from typing import Protocol, TypeVar

import msgspec

from kata.errors import OwnFault
from kata.model import Call, Error, Limits, Reply
from kata.zygote import hung
from kata.zygote.budget import OUTPUT_KEPT, Budget
from kata.zygote.endings import cause, kill
from kata.zygote.frames import CHUNK, Reader, WireError, pack
from kata.zygote.messages import Answer, Ask, Load, Loaded, Ready, decode_response, encode
from kata.zygote.source import Source
from kata.zygote.tree import Packer
from kata.zygote.untrusted import Untrusted

START_SECONDS = 60.0  # where each child imports torch itself
STARTS = 2
LEAST_SECONDS = 0.5
NO_REPLY = "the answer's process sent something that is no reply"
LEARNERS = ("syntax", "not_python", "import", "missing_function", "signature", "not_written")  # what a child may say
Message = TypeVar("Message", Ready, Loaded, Answer)


class Handle(Protocol):
    """A started child."""

    @property
    def pid(self) -> int:
        """The process that is killed when a limit is reached."""

    @property
    def channel(self) -> socket.socket:
        """Where frames go both ways."""

    @property
    def output(self) -> socket.socket:
        """Where the child's stdout and stderr arrive."""

    def reap(self) -> int:
        """Waits for the killed or ended child and returns its exit code, negative for a signal."""


class Ended(Exception):
    """The child gave no answer; carries the reply that says so."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(reply.message)
        self.reply = reply


class Remote:
    """A callee in another process; a child that ends is replaced at the next load."""

    _cpu_limit: float
    _wall_limit: float

    def __init__(self, spawn: Callable[[int], Handle], source: Source, limits: Limits) -> None:
        self._spawn, self._source, self._limits = spawn, source, limits
        self._handle: Handle | None = None
        self._id = 0
        self._cpu = self._wall = 0.0
        self._spent = 0.0  # seconds for which the answer was waited for, over all calls
        self._restore_limits()
        self._pending = memoryview(b"")
        self._frames: list[tuple[bytes, bytearray]] = []
        self._budget = Budget()
        self.shortcuts: set[tuple[str, int]] = set()

    def fresh(self) -> Error | Reply | None:
        """A fresh run of the source; an Error when it can't be judged, a Reply when the child did not survive it."""
        if self._spent >= self._limits.submission_seconds:
            return Reply("timed_out", message=self._all_spent())
        if spent := self._budget.spent():
            return Reply("died", message=spent)
        if self._handle is None:
            self._begin()
        s = self._source
        self._id += 1
        self._send(encode(Load(self._id, s.text, s.filename, s.functions, s.parameters, s.forbids)))
        try:
            loaded = self._wait(Loaded)[0]
        except Ended as ended:
            return ended.reply
        if loaded.error is not None and loaded.error.kind not in LEARNERS:
            return self._end("died", f"{NO_REPLY}: an error that is not its own")
        self.shortcuts.update(loaded.shortcuts)
        return loaded.error

    def _begin(self) -> None:
        """Starts a child that says it is ready; one that fails has seen no source, so another is tried, once."""
        why = ""
        for _ in range(STARTS):
            self._start(self._spawn(self._limits.memory_mib))
            try:
                self._await_ready()
                return
            except Ended as ended:
                self._restore_limits()
                why = f"{ended.reply.message}\n{self.take_output()}"
        raise OwnFault(f"the answer's process could not be started: {why}")

    def _await_ready(self) -> None:
        self._id, self._wall = 0, time.monotonic() + START_SECONDS
        self._cpu = self._cpu_now() + START_SECONDS
        self._wait(Ready)

    def send(self, call: Call) -> None:
        """Sends a call and returns at once, so that the judge can compute while the child does."""
        packer = Packer(exact=True)
        args, kwargs, cotangent = map(packer.node, (call.args, call.kwargs, call.cotangent))
        self._id += 1
        function = call.function or self._source.functions[0]
        ask = Ask(self._id, function, args, kwargs, cotangent, call.under, call.on, packer.storages)
        self._send(encode(ask), packer.blob)

    def receive(self) -> Reply:
        """The reply to the call that was sent."""
        try:
            answer, blob = self._wait(Answer)
            values = Untrusted(blob, answer.storages)
            gradients = None if answer.gradients is None else tuple(map(values.value, answer.gradients))
            value = values.value(answer.value)
        except Ended as ended:
            return ended.reply
        except (WireError, RecursionError) as wrong:
            return self._end("died", f"{NO_REPLY}: {wrong}")
        if (answer.ended == "raised") != bool(answer.raised and answer.raised.kinds):
            return self._end("died", f"{NO_REPLY}: an exception without a name")
        self._restore_limits()
        self.shortcuts.update(answer.shortcuts)
        a = answer
        return Reply(
            a.ended, value, gradients, a.raised, a.changed, a.state, a.used, a.torch_calls, a.audit, a.shortcuts
        )

    def take_output(self) -> str:
        """What was printed since the last time, as text, and how much was left out."""
        if self._handle is not None:
            with contextlib.suppress(Ended):  # more than a check may print: the next begins with another child
                self._read_output()
        return self._budget.take()

    def close(self) -> None:
        """Ends the child."""
        if self._handle is not None:
            self._stop()

    def _start(self, handle: Handle) -> None:
        self._handle = handle
        self._reader = Reader()
        self._frames.clear()
        self._selector = selectors.DefaultSelector()
        for sock in (handle.channel, handle.output):
            sock.setblocking(False)
            self._selector.register(sock, selectors.EVENT_READ)

    def _send(self, head: bytes, blob: bytes | bytearray = b"") -> None:
        self._pending = memoryview(pack(head, blob))
        self._cpu, self._wall = self._cpu_now(), time.monotonic()
        self._write()

    def _wait(self, kind: type[Message]) -> tuple[Message, bytearray]:
        """Reads and writes until the awaited message has come, a limit is reached or the child has ended."""
        try:
            while not self._frames:
                self._turn()
        finally:
            self._spent += self._waited()
        head, blob = self._frames.pop(0)
        try:
            message = decode_response(head)
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
            raise Ended(self._end("died", NO_REPLY)) from None
        if not isinstance(message, kind) or message.id != self._id or self._frames:
            raise Ended(self._end("died", "the answer's process sent a reply that nobody asked for"))
        return message, blob

    def _turn(self) -> None:
        handle = self._living()
        events = selectors.EVENT_READ | (selectors.EVENT_WRITE if self._pending else 0)
        self._selector.modify(handle.channel, events)
        for key, ready in self._selector.select(self._patience()):
            if key.fileobj is handle.output:
                self._read_output()
            elif ready & selectors.EVENT_WRITE:
                self._write()
            if key.fileobj is handle.channel and ready & selectors.EVENT_READ:
                self._read()

    def _patience(self) -> float:
        """Seconds to sleep at most; ends the child when a limit is reached."""
        cpu = self._cpu_limit - (self._cpu_now() - self._cpu)
        wall = self._wall_limit - (time.monotonic() - self._wall)
        if cpu <= 0:
            text = f"no answer after {self._cpu_limit:g} seconds of computing"
            self._cpu_limit = min(self._cpu_limit, max(LEAST_SECONDS, self._cpu_limit / 4))
            raise Ended(self._end("timed_out", text))
        if wall <= 0:
            text = f"no answer after {self._wall_limit:g} seconds: it waits for something that never comes"
            self._wall_limit = min(self._wall_limit, max(2 * LEAST_SECONDS, self._wall_limit / 4))
            raise Ended(self._end("timed_out", text))
        left = self._limits.submission_seconds - self._spent - self._waited()
        if left <= 0:
            raise Ended(self._end("timed_out", self._all_spent()))
        return max(0.005, min(cpu, wall, left))

    def _waited(self) -> float:
        """Seconds since the last call was sent; none while a child that is being started has its own limit."""
        return max(0.0, time.monotonic() - self._wall)

    def _all_spent(self) -> str:
        most = self._limits.submission_seconds
        return f"all checks together took {most:g} seconds, which is as long as one submission may take"

    def _restore_limits(self) -> None:
        """The full limits; every time-out makes them smaller until something is answered again."""
        self._cpu_limit, self._wall_limit = self._limits.cpu_seconds, self._limits.wall_seconds

    def _cpu_now(self) -> float:
        """CPU seconds that the child has used, read from its clock where the system has one (Linux)."""
        try:
            return time.clock_gettime((~self._living().pid << 3) | 2)
        except (AttributeError, OSError):
            return 0.0

    def _write(self) -> None:
        try:
            while self._pending:
                self._pending = self._pending[self._living().channel.send(self._pending) :]
        except BlockingIOError:
            pass
        except OSError:
            self._pending = memoryview(b"")  # the child is gone: reading tells how

    def _read(self) -> None:
        try:
            data = self._living().channel.recv(CHUNK)
            if data:
                self._budget.replied(data)
                self._check_budget()
                self._frames.extend(self._reader.feed(data))
                return
        except BlockingIOError:
            return
        except ConnectionError:
            pass
        except WireError as wrong:
            raise Ended(self._end("died", f"{NO_REPLY}: {wrong}")) from None
        raise Ended(self._end("died", ""))

    def _read_output(self) -> None:
        while True:
            try:
                data = self._living().output.recv(CHUNK)
            except OSError:
                return
            if not data:
                if self._living().output in self._selector.get_map():
                    self._selector.unregister(self._living().output)
                return
            self._budget.prints(data)
            self._check_budget()

    def _check_budget(self) -> None:
        if over := self._budget.over():
            raise Ended(self._end("died", over))

    def _end(self, ended: str, message: str) -> Reply:
        handle = self._living()
        if not self._budget.over():
            self._last_words(handle)
        at = hung.ask(handle.pid, handle.output, self._source) if ended == "timed_out" else ()
        code = self._stop()
        return Reply("timed_out" if ended == "timed_out" else "died", message=message or cause(code), at=at)

    def _stop(self) -> int:
        handle = self._living()
        kill(handle.pid)
        self._selector.close()
        handle.channel.close()
        handle.output.close()
        self._handle = None
        return handle.reap()

    def _last_words(self, handle: Handle) -> None:
        try:
            self._budget.prints(handle.output.recv(OUTPUT_KEPT))
        except OSError:
            return

    def _living(self) -> Handle:
        assert self._handle is not None, "a child is started before it is spoken to"
        return self._handle
