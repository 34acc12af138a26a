"""The ways of telling a model where a token stands, each from an exercise: the learner's answer or ours."""

from collections.abc import Callable
from typing import Any

import torch
from msgspec import Struct
from torch import Tensor

from kata.lab.sources import ALIBI, INTERPOLATION, NTK, ROPE, SINUSOIDAL, YARN

Functions = dict[int, Callable[..., Any]]  # by problem number
BASE = 10000.0


class Encoding(Struct, frozen=True):
    """What is added to embeddings (seq, width), done to q and k (batch, heads, seq, head_dim), added to scores."""

    name: str
    problem: int | None = None
    embed: Callable[[int, int], Tensor] | None = None
    turn: Callable[[Tensor], Tensor] | None = None
    bias: Callable[[int, int], Tensor] | None = None
    learned: bool = False


def trained(functions: Functions) -> list[Encoding]:
    """The encodings that a model is trained with from the start."""
    return [
        Encoding("NoPE"),
        Encoding("learned", learned=True),
        Encoding("sinusoidal", SINUSOIDAL, embed=lambda length, width: functions[SINUSOIDAL](length, width)),
        Encoding("ALiBi", ALIBI, bias=lambda heads, length: functions[ALIBI](heads, length, length)),
        Encoding("RoPE", ROPE, turn=lambda x: functions[ROPE](x, BASE)),
    ]


def rescaled(functions: Functions, scale: float, trained_length: int) -> list[Encoding]:
    """RoPE with frequencies rescaled for texts `scale` times as long as those of the training."""

    def ntk(x: Tensor) -> Tensor:
        return rotate(x, functions[NTK](x.shape[-1], scale, BASE))

    def yarn(x: Tensor) -> Tensor:
        inv_freq, factor = functions[YARN](x.shape[-1], scale, trained_length, BASE)
        turned: Tensor = factor * rotate(x, inv_freq)
        return turned

    return [
        Encoding("RoPE + PI", INTERPOLATION, turn=lambda x: functions[INTERPOLATION](x, scale, BASE)),
        Encoding("RoPE + NTK", NTK, turn=ntk),
        Encoding("RoPE + YaRN", YARN, turn=yarn),
    ]


def rotate(x: Tensor, inv_freq: Tensor) -> Tensor:
    """Turns pair (i, i + head_dim/2) of x (..., seq, head_dim) by position × inv_freq[i]."""
    angles = torch.outer(torch.arange(x.shape[-2]).float(), inv_freq)  # (seq, head_dim/2)
    cos, sin = angles.cos(), angles.sin()
    first, second = x.chunk(2, -1)
    return torch.cat((first * cos - second * sin, first * sin + second * cos), -1)
