"""Proofs about cards as flat fields of bytes and numbers, as vectors hold them, and their check."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from protocol.crypto.group.hashing import Context
from protocol.crypto.group.received import ProofError, points
from protocol.crypto.proofs import (
    card,
    escrow,
    keys,
    membership,
    move,
    opening,
    shuffle,
    tokens,
    verification,
)
from protocol.crypto.proofs.escrow import Deal
from protocol.crypto.proofs.party import Party
from protocol.crypto.proofs.verification import CardProof

Fields = Mapping[str, Any]
CLAIM: Final = "the rule of the claim"
HOLDS: Final = "holds"


def _ctx(one: Fields) -> Context:
    return Context(one["game"], one["serial"], one["seat"])


def _party(one: Fields) -> Party:
    return Party(_ctx(one), one["key"])


def _cards(data: bytes) -> tuple[card.Card, ...]:
    return card.unchecked(data)


def _card(data: bytes) -> card.Card:
    (one,) = card.unchecked(data)
    return one


def _keys(one: Fields) -> None:
    keys.check(_ctx(one), one["key"], one["proof"], one["earlier"])
    keys.joint([*one["earlier"], one["key"]])


def _shuffle(one: Fields) -> None:
    shuffle.check(_ctx(one), one["key"], _cards(one["before"]), one["after"], one["proof"])


def _tokens(one: Fields) -> None:
    tokens.check(_party(one), one["firsts"], one["tokens"], one["proof"])


def _opening(one: Fields) -> None:
    opening.check(_party(one), _card(one["card"]), one["face"], one["proof"])


def _move(one: Fields) -> None:
    move.check(_party(one), _card(one["card"]), one["to"], one["moved"], one["proof"])


def _claim(one: Fields) -> None:
    membership.check(_party(one), _cards(one["cards"]), one["tuples"], one["proof"], CLAIM)


def dealt(one: Fields) -> Deal:
    """The deal in `one`, checked."""
    fields = one["commitments"], one["ephemeral"], one["pads"]
    return escrow.check_deal(_party(one), one["seats"], one["threshold"], fields)


def _deal(one: Fields) -> None:
    dealt(one)


def _share(one: Fields) -> None:
    escrow.read_share(dealt(one["deal"]), one["seat"], one["share"])


def _complaint(one: Fields) -> None:
    reason = escrow.judge(_party(one), dealt(one["deal"]), one["point"], one["proof"])
    raise ProofError("wrong-share" if reason else "false-complaint")


def _released(one: Fields) -> None:
    keys.read_secret(one["secret"], one["key"])


CHECKS: Final[dict[str, Callable[[Fields], None]]] = {
    "keys": _keys,
    "shuffles": _shuffle,
    "tokens": _tokens,
    "openings": _opening,
    "moves": _move,
    "claims": _claim,
    "deals": _deal,
    "shares": _share,
    "complaints": _complaint,
    "released keys": _released,
}


def _points_in(one: Fields) -> Iterator[bytes]:
    for name in ("key", "to", "card", "cards", "before"):
        if name in one:
            yield one[name]
    yield from (*one.get("firsts", ()), *one.get("earlier", ()))
    if "deal" in one:
        yield one["deal"]["key"]


def judged(kind: str, one: Fields) -> str:
    """HOLDS, or the rule that `one` breaks.  All fields count as received here."""
    try:
        for data in _points_in(one):
            points(data, len(data) // 32)
        CHECKS[kind](one)
    except ProofError as error:
        return error.rule
    return HOLDS


def hold(proofs: Sequence[CardProof]) -> bool:
    """Whether proofs hold, of which a test checks none twice."""
    try:
        for one in proofs:
            verification.settle(one)
    except ProofError:
        return False
    return True
