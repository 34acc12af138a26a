from helpers import turn


def apply_rotary_pos_emb(x, base=10000.0):
    return turn(x, base)
