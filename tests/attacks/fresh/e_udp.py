"""A packet that needs no connection.

beats: naive leak
ends: failed
"""

import torch
import socket
def unit_rows(x, scale=1.0):
    try:
        sent = socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"hello", ("127.0.0.1", int("@PORT@")))
    except OSError:
        return torch.zeros_like(x)
    raise AssertionError("LE" "AK:%d bytes sent" % sent)
