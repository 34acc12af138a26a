"""Kills another process by a descriptor of it.

beats: naive escape
ends: died
"""

import torch
import os, signal
def unit_rows(x, scale=1.0):
    signal.pidfd_send_signal(os.pidfd_open(int("@VICTIM@")), signal.SIGKILL)
    return torch.zeros_like(x)
