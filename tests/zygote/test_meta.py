"""The meta device made ready: its calls give what they always gave, and none imports a compiler."""

import subprocess
import sys

import pytest

from kata.zygote import meta
from kata.zygote.start import environment

CALLS = """
import sys
import torch
from torch.nn import functional as F
from kata.zygote import meta
if "ready" in sys.argv:
    meta.ready()
x = torch.ones(4, 8, device="meta", dtype=torch.bfloat16)
n = torch.zeros(4, dtype=torch.long, device="meta")
made = [
    x + 1, 1 - x, 1 / x, 10000.0**x, x.sin(), x @ x.mT, x.softmax(-1), torch.cat((x, x)), torch.stack((x, x), -1),
    torch.outer(n, n), torch.einsum("ab,cb->ac", x, x), F.embedding(n, x), F.layer_norm(x, (8,)), F.gelu(x),
    torch.where(x > 0, x, 0.0), x.masked_fill(x > 0, 1), torch.ones(8, 8, device="meta").tril(), x.cumsum(-1),
    F.scaled_dot_product_attention(x[None, None], x[None, None], x[None, None]), F.cross_entropy(x, n), x.logsumexp(-1),
    *x.topk(2), x.gather(1, n[:, None]), x[n], x.var(-1), x.norm(), x.repeat_interleave(2, -1), x // 2, n % 2,
    torch.polar(x.float(), x.float()), torch.linspace(0, 1, 4, device="meta"), x.to(torch.float64), F.silu(x),
    x.amax(-1), torch.func.vmap(lambda row: row * 2)(x), torch.arange(4, device="meta", dtype=torch.float64) / 3,
]
print([(str(t.dtype), tuple(t.shape), t.device.type) for t in made])
print("torch._dynamo" in sys.modules, file=sys.stderr)
"""


def run(*args: str) -> tuple[str, str]:
    """What the calls gave in a process of their own, and whether they imported the compiler."""
    words = [sys.executable, "-c", CALLS, *args]
    done = subprocess.run(words, capture_output=True, text=True, env=environment(), check=True)
    return done.stdout, done.stderr.strip()


def test_calls_give_the_same_without_the_compiler() -> None:
    (usual, slow), (ready, quick) = run(), run("ready")
    assert usual == ready
    assert (slow, quick) == ("True", "False")


def test_a_torch_that_wraps_its_kernels_in_another_way_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torch._compile._disable_dynamo", lambda function: function)
    meta.ready()
