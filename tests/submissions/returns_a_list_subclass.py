import torch


class Listing(list):
    def __iter__(self):
        while True:
            yield self[0]

    def __len__(self):
        return -1


def apply_rotary_pos_emb(x, base=10000.0):
    return Listing([x]) if x.shape[2] == 1 else x
