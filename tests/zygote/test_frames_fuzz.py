"""The judge's end of the wire, fed with anything: every input is a reply or a refusal, and costs what it weighs."""

import math
import random
import socket
import time
import tracemalloc
from typing import Any

import msgspec
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import Struct

from kata.model import Given, Limits, Reply
from kata.zygote.frames import HEAD_CAP, PREFIX, Reader, WireError, pack
from kata.zygote.messages import Answer, Ready, encode
from kata.zygote.remote import Remote
from kata.zygote.source import Source
from kata.zygote.tree import DEPTH, Packer
from kata.zygote.untrusted import Untrusted

QUICK = settings(deadline=None, suppress_health_check=list(HealthCheck))
FEW = settings(QUICK, max_examples=400)

LEAVES = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text(max_size=8)
SIZES = st.lists(st.integers(-2, 2**63) | st.integers(0, 4), max_size=4)
DTYPES = st.sampled_from(["float32", "bool", "complex128", "uint16", "object", ""])
INDEX = st.integers(-1, 3)
NODES: st.SearchStrategy[Any] = st.recursive(
    LEAVES
    | st.tuples(st.just("T"), DTYPES, SIZES, SIZES, st.integers(-1, 2**62), INDEX)
    | st.tuples(st.just("g"), DTYPES, SIZES, st.text(max_size=4))
    | st.tuples(st.just("f"), st.text(max_size=4), st.text(max_size=4))
    | st.tuples(st.just("s"), st.integers(0, 2**63))
    | st.tuples(st.just("o"), st.text(max_size=4), st.text(max_size=4)),
    lambda node: (
        st.tuples(st.sampled_from("tlb"), st.lists(node, max_size=4))
        | st.tuples(st.just("d"), st.lists(node, max_size=3), st.lists(node, max_size=3))
        | st.tuples(st.just("r"), st.text(max_size=6), st.lists(st.text(max_size=6), max_size=3), st.lists(node))
    ),
    max_leaves=8,
)
STORAGES = st.lists(st.tuples(st.integers(-1, 80), st.integers(-1, 80)), max_size=3)


def message(id: int, value: Any, storages: Any, gradients: Any) -> dict[str, Any]:
    """An answer as a child would encode it, of any content."""
    blank = dict.fromkeys(Answer.__struct_fields__, ()) | {"raised": None, "torch_calls": 0, "ended": "value", "id": id}
    return blank | {"type": "answer", "value": value, "storages": storages, "gradients": gradients}


ANSWERS = st.builds(message, st.sampled_from([1, 1, 1, 0, 2**40]), NODES, STORAGES, st.none() | st.lists(NODES))
HEADS = ANSWERS.map(msgspec.msgpack.encode) | st.binary(max_size=60)
FRAMES = st.builds(pack, HEADS, st.binary(max_size=80))


@st.composite
def streams(draw: st.DrawFn) -> bytes:
    """Frames, cut, repeated, with bits turned and bytes that claim what is not there."""
    data = bytearray(b"".join(draw(st.lists(FRAMES, min_size=1, max_size=2))))
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, len(data) - 1)) if data else 0
        if data:
            data[place] ^= draw(st.integers(0, 255))
    end = draw(st.integers(0, len(data)) | st.just(len(data)))
    return bytes(data[:end]) + draw(st.binary(max_size=12) | st.just(b""))


class Nobody(Struct):
    """A child that has said all it will say."""

    channel: socket.socket
    output: socket.socket
    pid: int = 2**22 + 99  # above every process

    def reap(self) -> int:
        """Nothing to wait for."""
        return 0


def received(data: bytes) -> Reply:
    """What the judge makes of these bytes when it waits for the answer to a call."""
    channel, theirs = socket.socketpair()
    output, printed = socket.socketpair()
    remote = Remote(lambda _: Nobody(channel, output), Source(b"", "a.py", ("f",), {}), Limits(30.0, 30.0, 64))
    remote._start(Nobody(channel, output))
    remote._id, remote._wall = 1, time.monotonic()
    theirs.sendall(data)
    theirs.close()
    printed.close()
    reply = remote.receive()
    remote.close()
    return reply


def check_any_stream(data: bytes) -> None:
    reply = received(data)
    assert reply.ended in ("value", "raised", "died")
    assert reply.ended != "died" or reply.message


@FEW
@given(streams())
def test_any_stream_is_a_reply_or_none(data: bytes) -> None:
    check_any_stream(data)


def anything(chance: random.Random, depth: int = 0) -> Any:
    """A node, or what pretends to be one: the same kinds as NODES, made a hundred times faster."""
    sizes = [chance.choice((0, 1, 2, 3, -1, 2**31, 2**63)) for _ in range(chance.randrange(4))]
    inner = [anything(chance, depth + 1) for _ in range(chance.randrange(3))] if depth < 4 else []
    word = chance.choice(("float32", "bool", "complex128", "x", "", "__class__", "a b"))
    number = chance.choice((0, 1, -1, 7, 2**62, 2**63, True, None, 0.5, math.nan))
    kind = chance.randrange(10)
    tensor = ["T", word, sizes, sizes[::-1], chance.choice((0, 0, 1, -1)), chance.randrange(-1, 3)]
    forms = (number, word, tensor, ["g", word, sizes, word], ["f", word, word], ["s", number], ["o", word, word])
    nested = (["tlb"[kind % 3], inner], ["d", [number, word][: len(inner)], inner], ["r", word, ["p", word], inner])
    return forms[kind] if kind < len(forms) else nested[kind - len(forms)]


def stream(chance: random.Random) -> bytes:
    """Frames with anything in them, cut and damaged."""
    places = [(chance.randrange(-1, 9), chance.randrange(-1, 70)) for _ in range(chance.randrange(3))]
    head = msgspec.msgpack.encode(message(chance.choice((1, 1, 1, 0)), anything(chance), places, None))
    data = bytearray(pack(head, chance.randbytes(chance.randrange(80))) * chance.choice((1, 1, 1, 2)))
    for _ in range(chance.choice((0, 0, 1, 3))):
        data[chance.randrange(len(data))] ^= chance.randrange(256)
    return bytes(data[: chance.choice((len(data), chance.randrange(len(data) + 1)))])


BATCH = 50


@pytest.mark.by_hand
@settings(QUICK, max_examples=2000)
@given(st.integers(0, 2**64))
def test_any_stream_is_a_reply_or_none_in_a_hundred_thousand_cases(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(BATCH):
        check_any_stream(stream(chance))


def check_reader(chunks: list[bytes]) -> None:
    """The reader raises its own error or yields what fits its caps, and holds no more than what came."""
    reader, arrived = Reader(64, 128), 0
    try:
        for chunk in chunks:
            arrived += len(chunk)
            for head, blob in reader.feed(chunk):
                assert len(head) <= 64
                assert len(blob) <= 128
            assert len(reader._buffer) <= arrived
    except WireError as wrong:
        assert "over the cap" in str(wrong)


CHUNKS = st.lists(st.binary(max_size=40) | st.builds(PREFIX.pack, st.integers(0, 70), st.integers(0, 140)), max_size=8)


@FEW
@given(CHUNKS)
def test_the_reader_holds_what_came_and_no_more(chunks: list[bytes]) -> None:
    check_reader(chunks)


@pytest.mark.by_hand
@settings(QUICK, max_examples=2000)
@given(st.integers(0, 2**64))
def test_the_reader_holds_what_came_and_no_more_in_a_hundred_thousand_cases(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(BATCH):
        claimed = [PREFIX.pack(chance.randrange(70), chance.randrange(140)) for _ in range(chance.randrange(4))]
        check_reader([claim + chance.randbytes(chance.randrange(40)) for claim in claimed])


def test_a_claimed_length_allocates_nothing() -> None:
    tracemalloc.start()
    try:
        list(Reader().feed(PREFIX.pack(HEAD_CAP, 2**28)))
        assert tracemalloc.get_traced_memory()[1] < 100_000
    finally:
        tracemalloc.stop()


def test_a_frame_that_comes_byte_by_byte_is_one_frame() -> None:
    reader, frames = Reader(), list[tuple[bytes, bytearray]]()
    for byte in pack(b"head", b"blob"):
        frames += reader.feed(bytes([byte]))
    assert frames == [(b"head", bytearray(b"blob"))]


def forged(value: Any, blob: bytes = b"", storages: Any = ()) -> Reply:
    """What the judge makes of an answer with this value."""
    return received(pack(msgspec.msgpack.encode(message(1, value, list(storages), None)), blob))


FORGED = {
    "a function, whose source a later call would run": (["f", "g", "def g(): ..."], b"", ()),
    "a function deep inside": (["l", [["t", [["f", "g", "x"]]]]], b"", ()),
    "blocks": (["b", []], b"", ()),
    "a generator": (["s", 1], b"", ()),
    "one byte as a large tensor": (["T", "uint8", [2**27], [0], 0, 0], b"x", [(0, 1)]),
    "many tensors on the same bytes": (
        ["l", [["T", "uint8", [64], [1], 0, i] for i in range(3)]],
        b"x" * 64,
        [(0, 64)] * 3,
    ),
    "a truth value of 2": (["T", "bool", [2], [1], 0, 0], b"\x01\x02", [(0, 2)]),
    "a thousand records": (["l", [["r", "A", ["x"], [1]]] * 1000], b"", ()),
    "a record of a thousand fields": (["r", "A", [f"x{i}" for i in range(1000)], [1] * 1000], b"", ()),
    "two hundred thousand items": (["l", [None] * 200_000], b"", ()),
    "a tensor at an offset": (["T", "uint8", [1], [1], 1, 0], b"xx", [(0, 2)]),
    "a size that no machine has": (["T", "float32", [2**63, 0], [1, 1], 0, 0], b"", [(0, 0)]),
}


@pytest.mark.parametrize("name", FORGED)
def test_what_only_a_forger_sends_is_no_reply(name: str) -> None:
    reply = forged(*FORGED[name])
    assert (reply.ended, reply.value) == ("died", None)
    assert "no reply" in reply.message


def test_a_structure_without_end_is_no_reply() -> None:
    node: Any = None
    for _ in range(200):
        node = ["l", [node]]
    assert DEPTH < 200
    assert forged(node).ended == "died"


def test_a_reply_that_came_before_it_was_asked_for_is_no_reply() -> None:
    early = pack(msgspec.msgpack.encode(message(2, None, [], None)))
    assert received(early).ended == "died"
    twice = pack(msgspec.msgpack.encode(message(1, None, [], None))) * 2
    assert received(twice).ended == "died"
    assert received(pack(encode(Ready(1)))).ended == "died"


def test_honest_results_arrive() -> None:
    tensors = [torch.arange(6.0).reshape(2, 3).T, torch.tensor([True, False])]
    plain = (1, None, "x", 2.5)
    value = {"a": tensors, "b": plain}
    packer = Packer(exact=False)
    node = packer.node(value)
    got = Untrusted(packer.blob, packer.storages).value(node)
    assert torch.equal(got["a"][0], tensors[0])
    assert torch.equal(got["a"][1], tensors[1])
    assert got["b"] == plain


def test_a_function_is_no_result() -> None:
    packer = Packer(exact=True)
    node = packer.node(Given("g", "def g(): ..."))
    with pytest.raises(WireError):
        Untrusted(packer.blob, packer.storages).value(node)
