"""What command and judge say to each other survives the wire, and nothing else is understood."""

from typing import Any

import msgspec
import pytest

from kata.model import Finding, Job, Limits, Submission
from kata.zygote.events import (
    Begun,
    Fault,
    Found,
    Grade,
    Row,
    Verified,
    Verify,
    Wrong,
    decode_event,
    decode_job,
    encode,
)

FINDING = Finding("c", "p", "craft", True, "died", 0.0, 1.0, "m", {"index": [1, "nan", None], "map": ["·█"]}, "o", 0.1)
JOB = Job("/track", 7, Submission("f.py", b"\xff\0", "ada"), 2**63 - 1, ("a", "b"), True)


@pytest.mark.parametrize("order", [Verify("/t", 3, 200), Grade(JOB), Grade(JOB, Limits(0.5, 2.0, 64))])
def test_orders(order: Any) -> None:
    assert decode_job(encode(order)) == order


@pytest.mark.parametrize(
    "event", [Begun(7, 12), Found(FINDING), Row("s", "o", False, "d"), Verified(7, 0.5), Wrong("w"), Fault("f")]
)
def test_events(event: Any) -> None:
    assert decode_event(encode(event)) == event


@pytest.mark.parametrize(
    "data", [b"", b"\xc0", encode({"type": "found"}), encode({"type": "odd"}), encode(Begun(1, 2))]
)
def test_nothing_else_is_an_order(data: bytes) -> None:
    with pytest.raises(msgspec.MsgspecError):
        decode_job(data)
