"""The reference of problem 36 at both ends, and against transformers' dynamic scaling."""

from pathlib import Path

import pytest
import torch

from kata import track

ROOT = Path(__file__).parents[2]
REFERENCE = track.grader(track.find(ROOT, "36")).references["ntk_aware_scaling"]


def test_is_a_raised_base() -> None:
    """The formula of the statement, in float64."""
    for head_dim, scale, base in ((4, 2.5, 10000.0), (128, 4.0, 500000.0), (16, 1.0, 77.5)):
        exponents = torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim
        want = (base * scale ** (head_dim / (head_dim - 2))) ** -exponents
        torch.testing.assert_close(REFERENCE(head_dim, scale, base), want, rtol=1e-12, atol=0)


def test_is_dynamic_scaling_of_transformers() -> None:
    """Their factor, with a scale that grows with the text."""
    transformers = pytest.importorskip("transformers")
    config = transformers.LlamaConfig(
        hidden_size=64,
        num_attention_heads=4,
        max_position_embeddings=2048,
        rope_parameters={"rope_type": "dynamic", "factor": 2.0, "rope_theta": 10000.0},
    )
    theirs, _ = transformers.modeling_rope_utils.ROPE_INIT_FUNCTIONS["dynamic"](config, "cpu", seq_len=5000)
    ours = REFERENCE(16, 2.0 * 5000 / 2048 - (2.0 - 1))
    torch.testing.assert_close(ours.float(), theirs, rtol=1e-5, atol=0)
