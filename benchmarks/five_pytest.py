"""The five checks of benchmarks/five as a common pytest file, run beside each submission's rms_norm.py."""

import torch
from rms_norm import rms_norm

CASES = {
    "two_axes": ((3, 8), 1e-6),
    "three_axes": ((2, 5, 7), 1e-6),
    "a_large_eps": ((4, 6), 0.5),
    "one_row": ((9,), 1e-6),
}


def reference(x, weight, eps):
    """In float64, by the definition."""
    x, weight = x.double(), weight.double()
    return x / ((x * x).mean(-1, keepdim=True) + eps).sqrt() * weight


def agrees(name):
    """One call, compared with the reference."""
    shape, eps = CASES[name]
    x, weight = torch.randn(shape), torch.randn(shape[-1])
    torch.testing.assert_close(rms_norm(x, weight, eps).double(), reference(x, weight, eps), atol=1e-5, rtol=1e-5)


def test_two_axes():
    agrees("two_axes")


def test_three_axes():
    agrees("three_axes")


def test_a_large_eps():
    agrees("a_large_eps")


def test_one_row():
    agrees("one_row")


def test_gradient():
    x, weight, cotangent = torch.randn(3, 4, requires_grad=True), torch.randn(4), torch.randn(3, 4)
    (got,) = torch.autograd.grad((rms_norm(x, weight) * cotangent).sum(), x)
    (want,) = torch.autograd.grad((reference(x, weight, 1e-6) * cotangent.double()).sum(), x)
    torch.testing.assert_close(got, want, atol=1e-5, rtol=1e-5)
