"""A learner's process: knows the source and the calls, and never an expected value, a check or a seed."""

import contextlib
import socket
import sys
from collections.abc import Iterator

from msgspec.structs import replace

from kata.model import Call, Error, Opaque, Raised, Reply
from kata.zygote import confine, hung
from kata.zygote.frames import Channel, fits
from kata.zygote.messages import Answer, Ask, Load, Loaded, Ready, decode_request, encode
from kata.zygote.perform import Function, perform, reset
from kata.zygote.source import Compiled, Refused, Source, compiled, explain, load
from kata.zygote.tree import Packer, Unpacker


def run(channel: socket.socket, output: socket.socket, memory_mib: int, confinement: confine.Confinement) -> None:
    """Serves one judge until it closes the channel."""
    confine.die_with_parent(confinement.parent)
    confine.detach({channel.fileno(), output.fileno(), confinement.rules})
    confine.redirect(output)
    output.close()
    hung.tell()
    confine.limit(memory_mib)
    sys.argv = ["kata"]
    confine.enter(confinement)
    hide()
    Child(Channel(channel)).serve()


def hide() -> None:
    """Takes kata's own modules out of an answer's reach; what runs already goes on."""
    for name in list(_imported("kata")):
        del sys.modules[name]
    sys.modules["kata"] = None  # type: ignore[assignment]  # importing it is refused


def _imported(name: str) -> Iterator[str]:
    """A package and what is imported of it; reading all names of sys.modules would copy every page that one lies on."""
    yield name
    for part in vars(sys.modules[name]):
        if (inner := f"{name}.{part}") in sys.modules:
            yield from _imported(inner)


class Child:
    """The state of one child: the functions of the last load."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._functions: dict[str, Function] = {}
        self._filename = ""
        self._code: dict[bytes, Compiled] = {}
        self._forbids: tuple[str, ...] = ()

    def serve(self) -> None:
        """Says that it is ready, then answers requests, one at a time."""
        reset()
        self._channel.send(encode(Ready()))
        while (frame := self._channel.receive()) is not None:
            request = decode_request(frame[0])
            head, blob = self._load(request) if isinstance(request, Load) else self._ask(request, frame[1])
            _flush()
            self._channel.send(head, blob)

    def _load(self, request: Load) -> tuple[bytes, bytearray]:
        source = Source(request.text, request.filename, request.functions, request.parameters, request.forbids)
        error: Error | None = None
        shortcuts: tuple[tuple[str, int], ...] = ()
        reset()
        try:
            if request.text not in self._code:
                self._code[request.text] = compiled(source)
            shortcuts = self._code[request.text].shortcuts
            self._functions = load(source, self._code[request.text])
            self._filename, self._forbids = request.filename, request.forbids
        except Refused as refused:
            error = refused.error
        return encode(Loaded(request.id, error, shortcuts)), bytearray()

    def _ask(self, request: Ask, blob: bytearray) -> tuple[bytes, bytearray]:
        inputs = Unpacker(blob, request.storages)
        args, kwargs, cotangent = map(inputs.value, (request.args, request.kwargs, request.cotangent))
        call = Call(args, kwargs, cotangent=cotangent, under=request.under, on=request.on)
        function = self._functions[request.function]
        reply = perform(function, call, self._filename, explain(self._filename), self._forbids)
        try:
            head, numbers = _answer(request.id, reply)
            if fits(head, numbers):
                return head, numbers
            large = Opaque("value that is too large to come back")
            return _answer(request.id, replace(reply, value=large, gradients=None))
        except BaseException as raised:  # a result that defends itself: a property that raises, too little memory …
            told = explain(self._filename)(raised)
            return _answer(request.id, Reply("raised", raised=Raised(told.kinds, told.message, told.lines)))


def _answer(id: int, reply: Reply) -> tuple[bytes, bytearray]:
    packer = Packer(exact=False)
    value = packer.node(reply.value)
    gradients = None if reply.gradients is None else [packer.node(gradient) for gradient in reply.gradients]
    answer = Answer(
        id,
        "raised" if reply.raised else "value",
        value,
        gradients,
        reply.raised,
        reply.changed,
        reply.state,
        reply.used,
        reply.torch_calls,
        reply.audit,
        reply.shortcuts,
        packer.storages,
    )
    return encode(answer), packer.blob


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(BaseException):
            stream.flush()
