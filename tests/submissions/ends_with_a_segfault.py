import ctypes


def apply_rotary_pos_emb(x, base=10000.0):
    ctypes.string_at(0)
