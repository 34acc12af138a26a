import sys


def __getattr__(name):
    raise SystemExit(name)


def __dir__():
    raise SystemExit


sys.modules[__name__] = None
