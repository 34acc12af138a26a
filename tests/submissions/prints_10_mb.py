def apply_rotary_pos_emb(x, base=10000.0):
    for _ in range(160):
        print('x' * 65536)
    return x
