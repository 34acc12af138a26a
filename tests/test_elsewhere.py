"""The sandbox's own tests as a user without rights, and in a container without user namespaces."""

import os
import shutil

import pytest

from tests import elsewhere

SANDBOX = ("tests/zygote", "tests/test_processes.py")


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("bwrap") is None, reason="needs root and bubblewrap")
@pytest.mark.parametrize("where", ["nobody", "bubblewrap"])
def test_the_sandbox_holds_where_kata_is_a_guest(where: str) -> None:
    assert elsewhere.main(where, "-q", *SANDBOX) == 0
