"""The reference of problem 29 against transformers' Llama code: the same layout, the same axes, another author."""

import pytest
import torch

from kata import track

transformers = pytest.importorskip("transformers")


@pytest.mark.parametrize(
    ("shape", "base"), [((2, 3, 40, 64), 10000.0), ((1, 2, 300, 6), 500.0), ((2, 2, 7, 2), 12345.5)]
)
def test_llama_rotates_the_same_pairs_by_the_same_angles(shape: tuple[int, int, int, int], base: float) -> None:
    from transformers.models.llama.modeling_llama import apply_rotary_pos_emb

    reference = track.grader(track.find(track.default_root(), "29")).references["apply_rotary_pos_emb"]
    x = torch.randn(shape, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    seq, head_dim = shape[-2:]
    inv_freq = base ** (-torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim)
    angles = torch.outer(torch.arange(seq, dtype=torch.float64), inv_freq).repeat(1, 2)[None]  # (1, seq, head_dim)
    theirs, _ = apply_rotary_pos_emb(x, x, angles.cos(), angles.sin())
    torch.testing.assert_close(reference(x, base), theirs, rtol=1e-12, atol=1e-12)


def test_llama_has_the_same_frequencies() -> None:
    from transformers import LlamaConfig
    from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

    rotary = LlamaRotaryEmbedding(LlamaConfig(hidden_size=64, num_attention_heads=4, head_dim=16))
    ours = 10000.0 ** (-torch.arange(0, 16, 2) / 16)
    torch.testing.assert_close(rotary.inv_freq, ours, rtol=1e-6, atol=0.0)
