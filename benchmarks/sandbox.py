"""What the sandbox costs: milliseconds for each child, and honest throughput with a hostile student in ten.

    python benchmarks/sandbox.py

Confinement is measured in pairs (a child with and one without, in turn), in CPU time from the fork to the first byte
that it sends, so that a busy machine doesn't matter.
"""

import os
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import torch

from kata.model import Limits
from kata.zygote import confine
from kata.zygote.launch import Engine
from tests.attacks import suite

PAIRS = 60
CLASS = 40
HOSTILE = b"import os\ndef unit_rows(x, scale=1.0):\n    os.fork()\n    bytearray(10**12)\n"


def child(confinement: confine.Confinement) -> float:
    """CPU seconds of a child from its fork to its first byte."""
    reader, writer = os.pipe()
    if not (pid := os.fork()):
        confine.limit(1024)
        confine.enter(confinement)
        os.write(writer, str(time.thread_time()).encode())  # of a process with RLIMIT_CPU only whole ticks are told
        os._exit(0)
    seconds = float(os.read(reader, 99))
    os.waitpid(pid, 0)
    os.close(reader)
    os.close(writer)
    return seconds


def confinement() -> None:
    """Prints what entering costs."""
    torch.set_num_threads(1)
    start = time.process_time()
    strict, none = confine.prepare(), confine.Confinement("process")
    prepared = time.process_time() - start
    extra = [child(strict) - child(none) for _ in range(PAIRS)]
    print(f"prepared once:          {prepared * 1e3:6.2f} ms ({strict.level})")
    print(f"added to each child:    {statistics.median(extra) * 1e3:6.2f} ms (median of {PAIRS} pairs; at most 3)")


def throughput() -> None:
    """Prints how fast honest submissions are graded alone, and with hostile ones among them."""
    honest = suite.HONEST.read_bytes()
    limits = Limits(1.0, 2.0, 512)
    with Engine() as engine:
        engine.report(suite.job(honest, "warm"), limits)
        ratios = []
        for _ in range(3):
            alone, mixed = 0.0, 0.0
            for number in range(CLASS):
                start = time.perf_counter()
                engine.report(suite.job(honest, "honest"), limits)
                alone += time.perf_counter() - start
                if number % 10 == 9:
                    engine.report(suite.job(HOSTILE, "hostile"), limits)
                start = time.perf_counter()
                engine.report(suite.job(honest, "honest"), limits)
                mixed += time.perf_counter() - start
            ratios.append(alone / mixed)
        rate = CLASS / alone
    kept = statistics.median(ratios)
    print(f"honest submissions:     {rate:6.1f} a second alone; × {kept:.3f} beside hostile ones (at least 0.9)")


if __name__ == "__main__":
    confinement()
    throughput()
