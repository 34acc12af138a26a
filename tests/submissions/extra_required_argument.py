def apply_rotary_pos_emb(x, base, positions):
    return x
