"""# Rotary positional embeddings: a worked answer

## Step by step

1. Refuse an odd `head_dim`: the last channel would have no partner.
2. Give each of the `head_dim/2` pairs its frequency, base^(−2i/head_dim). With `half = head_dim/2` that is
   base^(−i/half): 1 for pair 0, then falling by the same factor from pair to pair, to almost 1/base.
3. Multiply every position by every frequency: a table of angles, (seq, half). It is the only place where positions
   enter.
4. Take the cosine and sine of that table, and lay each twice side by side, (seq, head_dim): channels `i` and `i +
   half` belong to one pair, so both need the angle of pair `i`.
5. Make the partner of `x`: every pair (a, b) turned by a quarter, (−b, a). In this layout it is one `cat` of two
   halves.
6. Any turn is made of no turn and a quarter turn: x·cos + partner·sin. Aligned at the right, (seq, head_dim) meets
   (batch, heads, seq, head_dim) with no further reshaping.
7. Compute the angles in float32 even for half precision: bfloat16 can't tell position 256 from 257. Cast once, at the
   end. For float64 everything stays float64, or a gradient check would fail.

## Key functions

- `base ** tensor` raises a number to every entry of a tensor. `torch.exp(-exponent * math.log(base))` is the same.
- `positions[:, None] * frequencies` is an outer product by broadcasting. (`@` would do, until autocast makes it
  bfloat16.)
- `torch.promote_types(x.dtype, torch.float32)` says "at least float32": float16 → float32, float64 → float64.
- `torch.cat([-second, first], dim=-1)` is the quarter turn. The minus belongs to the half that is written *first*.
- `device=x.device` in every factory keeps the table where `x` is.
- `torch.polar` and `torch.view_as_complex` write the same as a product of complex numbers, e^(i·angle)·(a + ib). They
  are functions of `torch`, not methods of a tensor, and don't take bfloat16.

## How to recognise the pattern

A vector is to carry a number (a position, a time, a phase) so that *differences* of it show up in dot products: write
the number as an angle and turn. Turning back and forth undo each other, so ⟨R(m)q, R(n)k⟩ = ⟨q, R(n − m)k⟩. Many
frequencies are needed because one angle repeats after a full turn. The same idea with two numbers for each token
gives 2-D RoPE, with other frequencies it gives position interpolation, NTK-aware scaling and YaRN.

## What it gives, and what it doesn't

- It has no parameters, keeps every length, and makes scores depend on the *signed* offset, exactly, as well as on the
  content. (Su et al., *RoFormer*, 2021, arXiv 2104.09864.)
- Without positions attention is permutation-*equivariant*: shuffle the tokens and the outputs are shuffled with them.
  A causal mask alone already breaks that, which is why models without any encoding can learn order at all (Kazemnejad
  et al., 2023, arXiv 2305.19466).
- It does **not** give free length extrapolation. "Depends on the offset only" says nothing about offsets that were
  never trained: with head_dim 128 and base 10000, 18 of the 64 pairs don't finish a single turn within 4096 tokens,
  so longer texts show the model angles it has never met. Quality falls soon after the trained length (Press et al.,
  *ALiBi*, 2021, arXiv 2108.12409, figure 1; Chen et al., *Position Interpolation*, 2023, arXiv 2306.15595; Peng et
  al., *YaRN*, 2023, arXiv 2309.00071). Context is extended by slowing the frequencies down, usually with some
  fine-tuning.
- It does **not** by itself make distant tokens matter less. The average over random content falls with distance,
  unevenly; learned queries and keys need not follow, and whether decay is why RoPE works is disputed (Barbero et al.,
  *Round and Round We Go!*, ICLR 2025, arXiv 2410.06205).
"""

import torch
from torch import Tensor


def apply_rotary_pos_emb(x: Tensor, base: float = 10000.0) -> Tensor:
    """x of shape (batch, heads, seq, head_dim), with every pair of channels turned by its position."""
    *_, seq, head_dim = x.shape
    if head_dim % 2:
        raise ValueError(f"head_dim must be even to form pairs, not {head_dim}")
    half = head_dim // 2
    dtype = torch.promote_types(x.dtype, torch.float32)
    inv_freq = base ** (-torch.arange(half, dtype=dtype, device=x.device) / half)  # (half,)
    positions = torch.arange(seq, dtype=dtype, device=x.device)
    angles = positions[:, None] * inv_freq  # (seq, half)
    cos = torch.cat([angles.cos(), angles.cos()], dim=-1)  # (seq, head_dim)
    sin = torch.cat([angles.sin(), angles.sin()], dim=-1)
    return (x * cos + _quarter_turn(x) * sin).to(x.dtype)  # (batch, heads, seq, head_dim)


def _quarter_turn(x: Tensor) -> Tensor:
    """Every pair (a, b) becomes (−b, a)."""
    first, second = x.chunk(2, dim=-1)
    return torch.cat([-second, first], dim=-1)
