"""Frames: whole or not at all, and never more memory than what has arrived."""

import socket
import threading

import pytest

from kata.zygote.frames import BLOB_CAP, HEAD_CAP, PREFIX, Channel, Reader, WireError, pack


@pytest.mark.parametrize(("head", "blob"), [(b"", b""), (b"head", b""), (b"", b"blob"), (b"h" * 1000, b"\0" * 70_000)])
def test_a_frame_comes_back(head: bytes, blob: bytes) -> None:
    assert list(Reader().feed(pack(head, blob))) == [(head, bytearray(blob))]


def test_frames_come_in_any_pieces() -> None:
    data = pack(b"one", b"1") + pack(b"", b"") + pack(b"two", b"22")
    for step in (1, 2, 7, len(data)):
        reader = Reader()
        got = [frame for i in range(0, len(data), step) for frame in reader.feed(data[i : i + step])]
        assert got == [(b"one", bytearray(b"1")), (b"", bytearray()), (b"two", bytearray(b"22"))]


def test_half_a_frame_waits() -> None:
    reader = Reader()
    assert list(reader.feed(pack(b"head", b"blob")[:-1])) == []
    assert list(reader.feed(b"b")) == [(b"head", bytearray(b"blob"))]


@pytest.mark.parametrize("lengths", [(HEAD_CAP + 1, 0), (0, BLOB_CAP + 1), (2**32 - 1, 2**32 - 1)])
def test_a_claim_over_the_cap_is_refused_before_anything_arrives(lengths: tuple[int, int]) -> None:
    with pytest.raises(WireError, match=r"a frame that claims [\d,]+ \+ [\d,]+ bytes is over the cap"):
        list(Reader().feed(PREFIX.pack(*lengths)))


def test_caps_can_be_smaller() -> None:
    with pytest.raises(WireError, match="claims 5 \\+ 0 bytes"):
        list(Reader(head_cap=4).feed(pack(b"12345")))


def test_too_much_is_not_packed() -> None:
    with pytest.raises(WireError, match="a frame of 1,048,577 \\+ 0 bytes is over the cap"):
        pack(b"h" * (HEAD_CAP + 1))


def test_channels_carry_frames_both_ways_and_end() -> None:
    ours, theirs = map(Channel, socket.socketpair())

    def send() -> None:
        for n in range(3):
            ours.send(b"%d" % n, bytes(300_000))

    sender = threading.Thread(target=send)
    sender.start()
    assert [theirs.receive() for _ in range(3)] == [(b"%d" % n, bytearray(300_000)) for n in range(3)]
    sender.join()
    theirs.send(b"back")
    assert ours.receive() == (b"back", bytearray())
    ours.sock.close()
    assert theirs.receive() is None
    theirs.sock.close()
