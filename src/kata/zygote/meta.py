"""The meta device made ready: torch's kernels for it are Python, and by default the first call imports the compiler.

torch wraps them so that torch.compile leaves them alone (torch/_compile.py, `_disable_dynamo`), and such a wrapper
imports torch._dynamo, 340 modules, before its first call. Where nothing is compiled, the function within will do.
"""

import contextlib
import gc
from importlib import import_module
from types import FunctionType
from typing import Any

import torch

NEEDED = "torch.fx.experimental.symbolic_shapes"  # by every kernel, and 490 modules of sympy by it
KEPT = "__dynamo_disable"  # where a wrapper looks for what it has found out before


def ready() -> None:
    """Imports what calls on the meta device need, and makes a first one."""
    import_module(NEEDED)
    with contextlib.suppress(AttributeError, ValueError):  # a torch that does it in another way is slower, no more
        _unwrap(import_module("torch._compile")._disable_dynamo(ready))
    torch.ones(2, device="meta") + 1


def _unwrap(example: Any) -> None:
    """Lets every wrapper like this one call its function without asking the compiler how."""
    code = example.__code__
    cell = code.co_freevars.index("fn")
    gc.unfreeze()  # what is frozen is not found
    for found in gc.get_referrers(code):
        if type(found) is FunctionType and found.__closure__:
            function = found.__closure__[cell].cell_contents
            setattr(function, KEPT, function)
