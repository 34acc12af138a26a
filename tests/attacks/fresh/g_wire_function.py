"""What comes back is not a value but code, for whoever unpacks it to run.

beats: pool mark
ends: died
"""

import sys
import torch

CODE = "open('@MARK@', 'w').close()"


class Code:
    def __reduce__(self):
        return exec, (CODE,)


def unit_rows(x, scale=1.0):
    frame = sys._getframe()
    while frame is not None and "Packer" not in frame.f_globals:
        frame = frame.f_back
    if frame is None:
        return Code()
    given = frame.f_globals["Packer"]._container.__globals__["Given"]
    return given("unit_rows", f"{CODE}\ndef unit_rows(x):\n    {CODE}\n    return x\n")
