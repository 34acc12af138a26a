calls = []


def apply_rotary_pos_emb(x, base=10000.0):
    calls.append(x)
    return [None, x, [x], 'x', 1 / len(calls)][len(calls) % 5]
