"""Short PyTorch exercises on the inside of transformers, and the autograder that judges them."""

__version__ = "0.1.0"
