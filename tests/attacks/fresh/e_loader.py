"""A package that is not allowed is loaded from its file, past the import system.

beats: naive leak
ends: failed
"""

import importlib.machinery
import sysconfig
import torch


def unit_rows(x, scale=1.0):
    path = sysconfig.get_path("purelib") + "/click/__init__.py"
    try:
        text = importlib.machinery.SourceFileLoader("click_too", path).get_source("click_too")
    except (OSError, ImportError):
        return torch.zeros_like(x)
    raise AssertionError("LE" "AK:" + text[:40])
