import time


def apply_rotary_pos_emb(x, base=10000.0):
    time.sleep(10_000)
