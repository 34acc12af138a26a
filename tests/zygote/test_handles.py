"""How a judge asks the zygote for children: an answer, or the zygote is gone."""

import socket

import pytest

from kata.zygote.handles import Forked, Forks


def test_a_zygote_that_is_gone_ends_the_judge_and_is_no_fault_of_its_own() -> None:
    ours, zygote = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours:
        zygote.shutdown(socket.SHUT_WR)  # dies between the question and the answer
        with pytest.raises(ConnectionError):
            Forks(ours)(64)
        with pytest.raises(ConnectionError):
            Forked(1, ours, ours, ours).reap()
        zygote.close()
        with pytest.raises(ConnectionError):
            Forks(ours)(64)
        with pytest.raises(ConnectionError):
            Forked(1, ours, ours, ours).reap()
