"""The import system is told to forget what it knows, and to look for packages again.

beats: naive leak
ends: failed
"""

import importlib
import sys
import sysconfig
import torch


def unit_rows(x, scale=1.0):
    sys.path_importer_cache.clear()
    importlib.invalidate_caches()
    sys.path.append(sysconfig.get_path("purelib"))
    for name in ("pluggy", "click", "kata.track"):
        try:
            importlib.import_module(name)
        except (ImportError, OSError):
            continue
        raise AssertionError("LE" "AK:" + name)
    return torch.zeros_like(x)
