"""The reference of problem 35 against problem 29's, and against transformers' linear scaling."""

from pathlib import Path

import pytest
import torch

from kata import track

ROOT = Path(__file__).parents[2]
REFERENCE = track.grader(track.find(ROOT, "35")).references["position_interpolation"]
HALVES = track.grader(track.find(ROOT, "29")).references["apply_rotary_pos_emb"]


def test_scale_one_is_problem_29() -> None:
    """Nothing is scaled."""
    x = torch.randn(2, 3, 9, 8, dtype=torch.float64)
    torch.testing.assert_close(REFERENCE(x, 1.0, 77.5), HALVES(x, 77.5), rtol=1e-12, atol=1e-12)


def test_every_third_token_is_an_unscaled_one() -> None:
    """Index 3p with scale 3 stands at position p."""
    x = torch.randn(1, 2, 7, 6, dtype=torch.float64)
    scaled = REFERENCE(x.repeat_interleave(3, 2), 3)
    torch.testing.assert_close(scaled[:, :, ::3], HALVES(x), rtol=1e-12, atol=1e-12)


def test_is_linear_scaling_of_transformers() -> None:
    """inv_freq divided by the factor."""
    transformers = pytest.importorskip("transformers")
    config = transformers.LlamaConfig(
        hidden_size=64,
        num_attention_heads=4,
        rope_parameters={"rope_type": "linear", "factor": 2.5, "rope_theta": 10000.0},
    )
    inv_freq, factor = transformers.modeling_rope_utils.ROPE_INIT_FUNCTIONS["linear"](config, "cpu")
    assert factor == 1.0
    x = torch.randn(1, 2, 20, 16)
    angle = torch.outer(torch.arange(20.0), inv_freq)
    first, second = x.chunk(2, -1)
    theirs = torch.cat([first * angle.cos() - second * angle.sin(), second * angle.cos() + first * angle.sin()], -1)
    torch.testing.assert_close(REFERENCE(x, 2.5).float(), theirs, rtol=1e-5, atol=1e-5)
