"""Sets of names that several problems forbid, so that a new way round is closed for all of them at once."""

from collections.abc import Iterable
from pathlib import Path

from kata.errors import KataError

ATTENTION = (
    "torch.nn.functional.scaled_dot_product_attention",
    "torch.nn.functional.multi_head_attention_forward",
    "torch.nn.MultiheadAttention",
    "torch.nn.Transformer",
    "torch.nn.TransformerEncoderLayer",
    "torch.nn.TransformerDecoderLayer",
    "torch.nn.modules.activation",
    "torch.nn.attention",
    "torch._scaled_dot_product_attention_math",
    "torch._scaled_dot_product_flash_attention_for_cpu",
    "torch._native_multi_head_attention",
    "torch._C._nn.scaled_dot_product_attention",
    "torch.ops",
)
SETS = {"attention": ATTENTION}


def names(forbids: str | Iterable[str], grader: Path) -> tuple[str, ...]:
    """The names that a grader/ file's FORBIDS means: the word for one of the sets here, or the names themselves."""
    if not isinstance(forbids, str):
        return tuple(forbids)
    if forbids not in SETS:
        raise KataError(f"{grader}: FORBIDS = “{forbids}” is no set of names; it may be {', '.join(SETS)}, or a tuple.")
    return SETS[forbids]
