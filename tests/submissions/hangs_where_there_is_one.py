def apply_rotary_pos_emb(x, base=10000.0):
    length = 0
    while x.shape[2] == 1 and length < x.shape[2]:
        length *= 2
    return x
