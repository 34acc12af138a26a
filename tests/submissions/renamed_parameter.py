def apply_rotary_pos_emb(x, theta=10000.0):
    return x
