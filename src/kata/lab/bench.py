"""An experiment in the judge's process: loads the functions it was sent, and times itself.

The learner's own functions run here as they would in a script of theirs, not in the sandbox: a lab grades nobody.
"""

import time
from collections.abc import Callable, Iterator
from typing import Any

from kata.errors import KataError
from kata.lab.encodings import Functions
from kata.lab.extrapolation import extrapolation
from kata.zygote.events import Curve, Finished, Lab, LabSource, Step
from kata.zygote.source import Refused, Source, compiled, load


def run(order: Lab) -> Iterator[Step | Curve | Finished]:
    """The extrapolation experiment, step by step."""
    start = time.perf_counter()
    functions: Functions = {source.number: _function(source) for source in order.sources}
    yield from extrapolation(functions, order.steps)
    yield Finished(time.perf_counter() - start)


def _function(sent: LabSource) -> Callable[..., Any]:
    source = Source(sent.text, sent.filename, (sent.function,), {sent.function: sent.parameters})
    try:
        return load(source, compiled(source))[sent.function]
    except Refused as refused:
        raise KataError(f"{sent.filename} can't be used here: {refused}") from None
