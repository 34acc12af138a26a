import warnings


def apply_rotary_pos_emb(x, base=10000.0):
    for n in range(2_000):
        warnings.warn(f'number {n}', stacklevel=1)
    return x
