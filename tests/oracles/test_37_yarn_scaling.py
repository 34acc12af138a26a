"""The reference of problem 37 against numbers that transformers gave, and against transformers itself."""

from pathlib import Path

import pytest
import torch

from kata import track

ROOT = Path(__file__).parents[2]
REFERENCE = track.grader(track.find(ROOT, "37")).references["yarn_scaling"]


def test_golden_numbers() -> None:
    """head_dim 128, scale 8, 4096 tokens: numbers of transformers 5.24."""
    made, factor = REFERENCE(128, 8.0, 4096)
    want = torch.tensor([5.623413e-2, 8.847401e-3, 1.033821e-3, 1.443478e-5], dtype=torch.float64)
    torch.testing.assert_close(made[[20, 30, 40, 63]], want, rtol=1e-6, atol=0)
    assert factor == pytest.approx(1.207944, rel=1e-6)


@pytest.mark.parametrize(
    ("head_dim", "scale", "length", "base", "fast", "slow"),
    [
        (128, 8.0, 4096, 10000.0, 32.0, 1.0),
        (16, 2.0, 60000, 10000.0, 32.0, 1.0),
        (16, 4.0, 64, 10000.0, 32.0, 1.0),
        (64, 4.0, 2048, 500000.0, 16.0, 2.0),
        (16, 4.0, 16, 10000.0, 32.0, 3.0),
        (16, 4.0, 3000, 20.0, 128.0, 1.0),
    ],
)
def test_is_that_of_transformers(
    head_dim: int, scale: float, length: int, base: float, fast: float, slow: float
) -> None:
    """Frequencies and factor, for bounds that are clamped at either end and for equal ones."""
    transformers = pytest.importorskip("transformers")
    config = transformers.LlamaConfig(
        hidden_size=head_dim * 2,
        num_attention_heads=2,
        max_position_embeddings=int(length * scale),
        rope_parameters={
            "rope_type": "yarn",
            "factor": scale,
            "rope_theta": base,
            "original_max_position_embeddings": length,
            "beta_fast": fast,
            "beta_slow": slow,
        },
    )
    theirs, factor = transformers.modeling_rope_utils.ROPE_INIT_FUNCTIONS["yarn"](config, "cpu")
    made, ours = REFERENCE(head_dim, scale, length, base, fast, slow)
    torch.testing.assert_close(made.float(), theirs, rtol=1e-5, atol=0)
    assert factor == pytest.approx(ours, rel=1e-6)
