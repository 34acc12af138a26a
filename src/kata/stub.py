"""What an unwritten function looks like."""

import ast


def is_stub(function: ast.FunctionDef) -> bool:
    """Whether a function's body does nothing but say that it is not written."""
    body = [n for n in function.body if not (isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant))]
    return all(isinstance(n, ast.Pass) or (isinstance(n, ast.Raise) and "NotImplemented" in ast.dump(n)) for n in body)
