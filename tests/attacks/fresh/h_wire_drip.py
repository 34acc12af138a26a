"""A reply is begun and comes by the byte, for ever.

beats: naive hang
ends: timed_out
"""

import gc
import struct
import time


def unit_rows(x, scale=1.0):
    channels = [thing.sock for thing in gc.get_objects() if type(thing).__name__ == "Channel" and hasattr(thing, "sock")]
    for sock in channels:
        sock.sendall(struct.pack(">II", 100, 100_000_000))
    while True:
        time.sleep(0.05)
        for sock in channels:
            sock.sendall(b"\x00")
