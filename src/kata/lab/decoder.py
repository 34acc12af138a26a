"""A decoder small enough to be trained in seconds: two layers, width 64, four heads, pre-norm."""

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from kata.lab.encodings import Encoding
from kata.lab.task import VOCABULARY

WIDTH, HEADS, LAYERS = 64, 4, 2


class Layer(nn.Module):
    """Attention and a feed-forward network, each on a normalised residual."""

    def __init__(self) -> None:
        super().__init__()
        self.before, self.between = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH, bias=False), nn.Linear(WIDTH, WIDTH, bias=False)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x: Tensor, mask: Tensor, encoding: Encoding) -> Tensor:
        """x is (batch, seq, width), mask is added to the scores."""
        b, s, _ = x.shape
        q, k, v = (t.view(b, s, HEADS, -1).transpose(1, 2) for t in self.qkv(self.before(x)).chunk(3, -1))
        if encoding.turn is not None:
            q, k = encoding.turn(q), encoding.turn(k)
        attended = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)  # (batch, heads, seq, head_dim)
        x = x + self.out(attended.transpose(1, 2).reshape(b, s, WIDTH))
        fed: Tensor = x + self.down(F.gelu(self.up(self.between(x))))
        return fed


class Decoder(nn.Module):
    """Token ids (batch, seq) to logits (batch, seq, vocabulary), under any encoding."""

    def __init__(self, longest: int) -> None:
        super().__init__()
        self.tokens = nn.Embedding(VOCABULARY, WIDTH)
        self.table = nn.Parameter(0.02 * torch.randn(longest, WIDTH))  # used by the learned encoding alone
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.last, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, VOCABULARY, bias=False)

    def forward(self, ids: Tensor, encoding: Encoding) -> Tensor:
        """Raises IndexError where a learned table has no row for a position."""
        length = ids.shape[1]
        x = self.tokens(ids)
        if encoding.learned:
            x = x + self.table[torch.arange(length)]
        if encoding.embed is not None:
            x = x + encoding.embed(length, WIDTH)
        mask = torch.full((length, length), -math.inf).triu(1)
        if encoding.bias is not None:
            mask = mask + encoding.bias(HEADS, length)
        for layer in self.layers:
            x = layer(x, mask, encoding)
        logits: Tensor = self.head(self.last(x))
        return logits
