def apply_rotary_pos_emb(x, base=10000.0):
    def down(n):
        return down(n + 1) + 1

    return down(0)
