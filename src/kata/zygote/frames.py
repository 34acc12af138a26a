"""Frames on a socket: a small msgpack head and a blob of raw tensor bytes, both length-capped.

A frame is two big-endian 32-bit lengths, the head, the blob. The reader holds no more than what has arrived, so a
claimed length allocates nothing.
"""

import socket
import struct
from collections.abc import Iterator

PREFIX = struct.Struct(">II")
HEAD_CAP = 1 << 20
BLOB_CAP = 1 << 28
CHUNK = 1 << 18


class WireError(Exception):
    """What arrived is not what the other side may send."""


def pack(head: bytes, blob: bytes | bytearray = b"") -> bytes:
    """The bytes of one frame."""
    if not fits(head, blob):
        raise WireError(f"a frame of {len(head):,} + {len(blob):,} bytes is over the cap")
    return b"".join((PREFIX.pack(len(head), len(blob)), head, blob))


def fits(head: bytes, blob: bytes | bytearray) -> bool:
    """Whether this is not too much for one frame."""
    return len(head) <= HEAD_CAP and len(blob) <= BLOB_CAP


class Reader:
    """Collects bytes and yields whole frames."""

    def __init__(self, head_cap: int = HEAD_CAP, blob_cap: int = BLOB_CAP) -> None:
        self._buffer = bytearray()
        self._caps = head_cap, blob_cap

    def feed(self, data: bytes) -> Iterator[tuple[bytes, bytearray]]:
        """The frames that `data` completes, as (head, blob)."""
        self._buffer += data
        while (frame := self._next()) is not None:
            yield frame

    def _next(self) -> tuple[bytes, bytearray] | None:
        if len(self._buffer) < PREFIX.size:
            return None
        head, blob = PREFIX.unpack_from(self._buffer)
        if head > self._caps[0] or blob > self._caps[1]:
            raise WireError(f"a frame that claims {head:,} + {blob:,} bytes is over the cap")
        start, end = PREFIX.size + head, PREFIX.size + head + blob
        if len(self._buffer) < end:
            return None
        frame = bytes(self._buffer[PREFIX.size : start]), self._buffer[start:end]
        del self._buffer[:end]
        return frame


class Channel:
    """Both directions of a blocking socket, for sides that may wait: the command, and a learner's child."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self._reader = Reader()
        self._ready: list[tuple[bytes, bytearray]] = []

    def send(self, head: bytes, blob: bytes | bytearray = b"") -> None:
        """Sends one frame."""
        self.sock.sendall(pack(head, blob))

    def receive(self) -> tuple[bytes, bytearray] | None:
        """The next frame, or None once the other side has closed."""
        while not self._ready:
            data = self.sock.recv(CHUNK)
            if not data:
                return None
            self._ready.extend(self._reader.feed(data))
        return self._ready.pop(0)
