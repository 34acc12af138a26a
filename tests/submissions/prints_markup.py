import sys


def apply_rotary_pos_emb(x, base=10000.0):
    print('[bold]\x1b[2J\x1b]0;title\x07[/] \x1b]8;;http://example.com\x07link\x1b]8;;\x07 \u202e\u2066')
    sys.stdout.buffer.write(bytes(range(256)))
    return x
