"""Connects to a server.

beats: naive leak
ends: failed
"""

import torch
import socket
def unit_rows(x, scale=1.0):
    try:
        socket.create_connection(("127.0.0.1", int("@PORT@")), timeout=1)
    except OSError:
        return torch.zeros_like(x)
    raise AssertionError("LE" "AK:connected")
