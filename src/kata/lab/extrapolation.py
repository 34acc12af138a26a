"""Does it extrapolate? Trains on short texts and measures on longer ones, for each way of encoding positions."""

import copy
import math
from collections.abc import Iterator

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from kata.lab.decoder import Decoder
from kata.lab.encodings import Encoding, Functions, rescaled, trained
from kata.lab.sources import TRAINED
from kata.lab.task import accuracy, batch
from kata.zygote.events import Curve, Step

LENGTHS = (32, 64, 128, 256, 512)
SCALE = 8.0
STEPS, TUNING = 500, 40
BATCH, MEASURED = 32, 32


def extrapolation(functions: Functions, steps: int = STEPS) -> Iterator[Step | Curve]:
    """Progress and one curve for each encoding; RoPE's rescalings as they are and after a brief tuning."""
    for encoding in trained(functions):
        torch.manual_seed(0)
        model = Decoder(TRAINED)
        yield from _train(model, encoding, encoding.name, steps, TRAINED, 3e-3)
        yield Curve(encoding.name, LENGTHS, _measured(model, encoding), encoding.problem)
    for encoding in rescaled(functions, SCALE, TRAINED):
        yield Curve(
            encoding.name, LENGTHS, _measured(model, encoding), encoding.problem
        )  # the last one trained is RoPE's
        tuned, name = copy.deepcopy(model), f"{encoding.name}, tuned"
        yield from _train(tuned, encoding, name, TUNING, 4 * TRAINED, 1e-3)
        yield Curve(name, LENGTHS, _measured(tuned, encoding), encoding.problem)


def _train(model: Decoder, encoding: Encoding, name: str, steps: int, length: int, most: float) -> Iterator[Step]:
    generator = torch.Generator().manual_seed(1)
    optimiser = torch.optim.AdamW(model.parameters(), most, weight_decay=0.01)
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = most * min(1.0, (step + 1) / 25) * 0.5 * (1 + math.cos(math.pi * step / steps))
        inputs, targets, known = batch(generator, BATCH * TRAINED // length, length)
        loss = F.cross_entropy(model(inputs, encoding)[known], targets[known])
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        if step % 10 == 9:
            yield Step(name, (step + 1) / steps, float(loss.detach()))


def _measured(model: Decoder, encoding: Encoding) -> tuple[float | None, ...]:
    """Accuracy at each length; None where the encoding has no way to go that far."""
    return tuple(_accuracy(model, encoding, length) for length in LENGTHS)


@torch.no_grad()
def _accuracy(model: Decoder, encoding: Encoding, length: int) -> float | None:
    inputs, targets, known = batch(torch.Generator().manual_seed(2), MEASURED, length)
    try:
        logits: Tensor = model(inputs, encoding)
    except IndexError:
        return None
    return accuracy(logits.argmax(-1), targets, known)
