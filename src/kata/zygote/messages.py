"""What judge and learner's child say to each other; each message is the head of a frame."""

from typing import Literal

import msgspec
from msgspec import Struct

from kata.model import Error, Raised, Used
from kata.zygote.tree import Node, Storages


class Load(Struct, frozen=True, tag="load", forbid_unknown_fields=True):
    """Run this source as a fresh module."""

    id: int
    text: bytes
    filename: str
    functions: tuple[str, ...]
    parameters: dict[str, list[str]]
    forbids: tuple[str, ...]


class Ask(Struct, frozen=True, tag="ask", forbid_unknown_fields=True):
    """Make this call."""

    id: int
    function: str
    args: Node
    kwargs: Node
    cotangent: Node
    under: tuple[str, ...]
    on: str
    storages: Storages


class Ready(Struct, frozen=True, tag="ready", forbid_unknown_fields=True):
    """The child is confined and has seen no source yet: what fails before this is our own fault."""

    id: int = 0


class Loaded(Struct, frozen=True, tag="loaded", forbid_unknown_fields=True):
    """The source was run, or why not."""

    id: int
    error: Error | None
    shortcuts: tuple[tuple[str, int], ...] = ()


class Answer(Struct, frozen=True, tag="answer", forbid_unknown_fields=True):
    """How a call ended; value and gradients are raw numbers in the frame's blob."""

    id: int
    ended: Literal["value", "raised"]
    value: Node
    gradients: list[Node] | None
    raised: Raised | None
    changed: tuple[str, ...]
    state: tuple[str, ...]
    used: tuple[Used, ...]
    torch_calls: int
    audit: tuple[tuple[str, int], ...]
    shortcuts: tuple[tuple[str, int], ...]
    storages: Storages


encode = msgspec.msgpack.Encoder().encode
decode_request = msgspec.msgpack.Decoder(Load | Ask).decode
decode_response = msgspec.msgpack.Decoder(Ready | Loaded | Answer).decode
