import torch

import dataclasses

Pair = dataclasses.make_dataclass("P" * 5000, ["first", "second"])


def apply_rotary_pos_emb(x, base=10000.0):
    return Pair(x, x)
