def unit_rows(x, scale=1.0):
    return x * 0
