"""Whether a known mistake's reply is the one that came: compared whole, from how it ended to what it left changed."""

import re
from typing import Any

import torch
from torch import Tensor

from kata import gate
from kata.author import Failed
from kata.judge import Exchange
from kata.model import Check, Close, Raised, Reply

NAMING = ("AttributeError", "NameError", "UnboundLocalError")  # the text says what was looked for: that is the mistake
WORDS = 4  # of a text that speaks of nothing below: as many, from its start, tell it from others
MATTERS = {  # what torch complains about, in the words of its several functions; the first that fits counts
    "in place": r"leaf variable|in-?place|single memory location",
    "inference": r"inference tensor",
    "graph": r"requires? grad|grad_fn",
    "view": r"view size is not compatible|spans across|a stride",
    "reshape": r"cannot reshape",
    "zero": r"(?:division|modulo) by zero|divided by zero",
    "axis": r"dimension out of range|dimension specified",
    "index": r"out of bounds|out of range",
    "values": r"data-dependent|calling \.item\(\)|as Python numbers|converted to (?:a )?(?:Python )?scalar",
    "storage": r"storage|data pointer",
    "device": r"on device|same device|expected device|meta tensor",
    "nothing": r"numel\(\) == 0|zero elements|non-zero size|is empty|empty sequence",
    "sizes": r"must match|broadcast|be multiplied|expand(?:ed)?.size|expected size|shape mismatch|same (?:size|shape)"
    r"|is invalid for input of size",
    "dtype": r"not implemented for|dtype|but got|scalar type|not supported|unsupported",
}


def same(exchange: Exchange, other: Reply, check: Check) -> bool:
    """Whether a mistake's reply is the one that came: ending, structure, shape, dtype, values, gradients, effects."""
    reply = exchange.reply
    if reply.ended != other.ended:
        return False
    if reply.raised is not None and other.raised is not None:
        return same_exception(reply.raised, other.raised)
    if bool(reply.changed) != bool(other.changed) or reply.state != other.state or reply.used != other.used:
        return False
    ours, theirs = offences(reply), offences(other)
    if bool(ours) != bool(theirs) or not theirs <= ours:  # an answer may commit more than one mistake knows of
        return False
    if not _alike(reply.value, other.value, exchange, check):
        return False
    return _same_gradients(reply, other, exchange)


def offences(reply: Reply) -> frozenset[str]:
    """What an audit noted; one factory without a device is like another."""
    return frozenset(re.sub(r"^.*(?= without device=)", "a factory", what) for what, _ in reply.audit)


def same_exception(one: Raised, other: Raised) -> bool:
    """Whether an answer's exception and a mistake's are of one kind and speak of one matter, whatever sizes they met.

    What a mistake raises by itself says what its author chose, so there the kind alone counts; what an answer raises by
    itself is like nothing that torch or Python complain of.
    """
    if one.kinds[0] != other.kinds[0]:
        return False
    if one.kinds[0] in NAMING:
        return one.message == other.message
    if _own_words(one) or _own_words(other):
        return _own_words(other)
    return _matter(one.message) == _matter(other.message)


def likeness(one: Reply, other: Reply) -> int:
    """How much two replies that are the same have in common beyond that.

    Exceptions: 2 for one text, 1 for sizes that misfit alike. Audits: 2 for the very same calls.
    """
    if one.raised is None or other.raised is None:
        return 2 * bool(one.audit and {what for what, _ in one.audit} == {what for what, _ in other.audit})
    if one.raised.message == other.raised.message:
        return 2
    misfit = _misfit(one.raised.message)
    return int(bool(misfit) and misfit == _misfit(other.raised.message))


def _misfit(message: str) -> tuple[str, bool] | None:
    """Along which axis two shapes don't fit together, and whether it is the second that is too large there."""
    found = re.search(r"tensor a \((\d+)\) must match .* tensor b \((\d+)\) at .* dimension (\d+)", message)
    return (found[3], int(found[2]) > int(found[1])) if found else None


def _own_words(raised: Raised) -> bool:
    return bool(raised.lines) and re.match(r"(raise|assert)\b", raised.lines[-1].text.strip()) is not None


def _matter(message: str) -> str:
    for matter, words in MATTERS.items():
        if re.search(words, message, re.IGNORECASE):
            return matter
    return " ".join(re.findall(r"[a-z_]+", message.lower())[:WORDS])


def _alike(one: Any, other: Any, exchange: Exchange, check: Check) -> bool:
    exact = check.tier == "craft"
    dtype = next(gate.floats(other), exchange.rule.dtype) if exact else exchange.rule.dtype
    try:
        gate.compare(one, other, gate.Rule(dtype, exact, _roomy(exchange)))
    except Failed:
        return False
    return True


def _roomy(exchange: Exchange) -> Close:
    """The tolerance for two wrong results: at least what the right one is allowed, as wrong ones may be tiny."""
    close, right = exchange.rule.close, exchange.wanted.value if exchange.wanted is not None else None

    def allowed(want: Any, dtype: Any) -> Any:
        room = close(want, dtype)
        if not isinstance(right, Tensor) or right.shape != want.shape or not right.is_floating_point():
            return room
        return torch.maximum(room, close(right.detach().double(), dtype))

    return allowed


def _same_gradients(reply: Reply, other: Reply, exchange: Exchange) -> bool:
    ours, theirs = reply.gradients or (), other.gradients or ()
    if [g is None for g in ours] != [g is None for g in theirs]:
        return False
    rule = gate.Rule(exchange.rule.dtype, False, exchange.rule.close)
    try:
        for one, two in zip(ours, theirs, strict=True):
            gate.compare(one, two, rule)
    except Failed:
        return False
    return True
