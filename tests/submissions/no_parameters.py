def apply_rotary_pos_emb():
    return None
