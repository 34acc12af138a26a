import torch


def apply_rotary_pos_emb(x, base=10000.0):
    raise BaseExceptionGroup('many', [ValueError(1), KeyboardInterrupt(), SystemExit(0)])
