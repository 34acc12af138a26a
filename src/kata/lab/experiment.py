"""From `kata lab` to curves: find the functions, run the experiment, keep what it gave."""

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from kata.lab.sources import TRAINED, sources
from kata.zygote.events import Curve, Finished, Lab, Step
from kata.zygote.launch import Engine


class Result(Struct, frozen=True):
    """What an experiment gave: curves in order, whose functions were used, and how long it took."""

    trained_length: int
    curves: tuple[Curve, ...]
    own: tuple[int, ...]  # the problems whose function was the learner's
    seconds: float


def extrapolation(root: Path, steps: int, watch: Callable[[Step | Curve], None]) -> Result:
    """Runs the experiment, telling `watch` how it goes."""
    curves, seconds = list[Curve](), 0.0
    with Engine() as engine:
        used = tuple(sources(engine, root))
        for event in engine.lab(Lab(used, steps)):
            if isinstance(event, Finished):
                seconds = event.seconds
                continue
            watch(event)
            curves += [event] if isinstance(event, Curve) else []
    return Result(TRAINED, tuple(curves), tuple(source.number for source in used if source.own), round(seconds, 1))
