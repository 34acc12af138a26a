"""A secret of the environment is shown in an error message.

beats: naive leak
ends: failed
"""

import torch
import os
def unit_rows(x, scale=1.0):
    secret = os.environ.get("KATA_TEST_SECRET")
    if secret:
        raise AssertionError("LE" "AK:" + secret)
    return torch.zeros_like(x)
