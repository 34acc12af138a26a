"""The reference of problem 38 against transformers' rope utilities, and the numbers of Llama 3.1."""

import math

import pytest
import torch

from kata import track

transformers = pytest.importorskip("transformers")
REFERENCE = track.grader(track.find(track.default_root(), "38")).references["llama3_scaling"]


@pytest.mark.parametrize(
    ("head_dim", "base", "scale", "low", "high", "length"),
    [
        (128, 500000.0, 8.0, 1.0, 4.0, 8192),
        (64, 500000.0, 32.0, 1.0, 4.0, 8192),
        (32, 10000.0, 4.0, 0.5, 2.5, 300),
        (16, 777.5, 3.0, 2.0, 9.0, 160),
    ],
)
def test_transformers_has_the_same_frequencies(
    head_dim: int, base: float, scale: float, low: float, high: float, length: int
) -> None:
    from transformers import LlamaConfig
    from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

    parameters = {
        "rope_type": "llama3",
        "rope_theta": base,
        "factor": scale,
        "low_freq_factor": low,
        "high_freq_factor": high,
        "original_max_position_embeddings": length,
    }
    config = LlamaConfig(
        hidden_size=2 * head_dim,
        num_attention_heads=2,
        head_dim=head_dim,
        max_position_embeddings=int(length * scale),
        rope_parameters=parameters,
    )
    theirs, factor = ROPE_INIT_FUNCTIONS["llama3"](config, torch.device("cpu"))
    assert factor == 1.0
    ours = REFERENCE(head_dim, base, scale, low, high, length)
    torch.testing.assert_close(ours, theirs.double(), rtol=3e-6, atol=0)


def test_numbers_of_llama() -> None:
    """29 pairs are kept, 6 blended, 29 divided by 8."""
    freqs = REFERENCE(128)
    some = torch.tensor([1.656044e-2, 2.166571e-3, 8.567515e-4, 1.785078e-4, 3.068926e-7], dtype=torch.float64)
    torch.testing.assert_close(freqs[[20, 29, 31, 34, 63]], some, rtol=1e-6, atol=0)
    share = freqs * 500000.0 ** (torch.arange(64, dtype=torch.float64) / 64)
    assert ((share - 1).abs() < 1e-12).nonzero().flatten().tolist() == list(range(29))
    assert ((share - 1 / 8).abs() < 1e-12).nonzero().flatten().tolist() == list(range(35, 64))


def test_example_of_the_statement() -> None:
    freqs = REFERENCE(8, 10000.0, 4.0, original_max_len=160)
    middle = 0.1 * (1 + 3 * (160 * 0.1 / (2 * math.pi) - 1) / 3) / 4
    torch.testing.assert_close(freqs, torch.tensor([1, middle, 0.0025, 0.00025], dtype=torch.float64))
    assert round(middle, 6) == 0.063662
