"""The reference of problem 39 against BLOOM's and MPT's code in transformers, and the numbers that the paper prints."""

import pytest
import torch

from kata import track

pytest.importorskip("transformers")
REFERENCE = track.grader(track.find(track.default_root(), "39")).references["alibi"]


@pytest.mark.parametrize("heads", [1, 2, 3, 5, 6, 8, 12, 16, 20, 31, 64])
def test_slopes_are_those_of_bloom(heads: int) -> None:
    """BLOOM adds slope · j; the differences from key to key are the slopes."""
    from transformers.models.bloom.modeling_bloom import build_alibi_tensor

    theirs = build_alibi_tensor(torch.ones(1, 5), heads, torch.float32).reshape(heads, 5)
    ours = REFERENCE(heads, 1, 5)[:, 0]  # the query stands at the last key
    torch.testing.assert_close(ours, (theirs - theirs[:, -1:]).double(), rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("heads", [2, 6, 8, 12, 16])
def test_mpt_adds_the_same_to_the_last_query(heads: int) -> None:
    from transformers.models.mpt.modeling_mpt import build_mpt_alibi_tensor

    theirs = build_mpt_alibi_tensor(heads, 7).reshape(heads, 7)
    torch.testing.assert_close(REFERENCE(heads, 1, 7)[:, 0], theirs.double(), rtol=1e-5, atol=1e-7)


def test_numbers_in_print() -> None:
    """Slopes of 12 and 6 heads, and a tent around the query."""
    twelve = [2.0**-i for i in range(1, 9)] + [0.707107, 0.353553, 0.176777, 0.0883883]
    torch.testing.assert_close(
        -REFERENCE(12, 1, 2)[:, 0, 0], torch.tensor(twelve, dtype=torch.float64), rtol=1e-5, atol=0
    )
    assert (-REFERENCE(6, 1, 2)[:, 0, 0]).tolist() == [1 / 4, 1 / 16, 1 / 64, 1 / 256, 1 / 2, 1 / 8]
    assert REFERENCE(1, 3, 3)[0].mul(-256).tolist() == [[0, 1, 2], [1, 0, 1], [2, 1, 0]]
