def apply_rotary_pos_emb(x, base=10000.0):
    exec(compile('raise ValueError("from nowhere")', '29_rotary_positional_embeddings.py', 'exec'))
