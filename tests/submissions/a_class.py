class apply_rotary_pos_emb:
    def __init__(self, x, base=10000.0):
        self.x = x
