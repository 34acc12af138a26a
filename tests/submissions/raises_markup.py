import torch


Odd = type("[link=http://example.com]\x1b[31mOdd[/]", (Exception,), {})


def apply_rotary_pos_emb(x, base=10000.0):
    raise Odd('[bold red]no[/] \x1b[31mred\x1b[0m \x1b]8;;http://example.com\x07link\x1b]8;;\x07 \u202eesrever \x00 0x7f1234567890')
