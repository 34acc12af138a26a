apply_rotary_pos_emb = 'soon'
