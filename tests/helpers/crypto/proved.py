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


def _ctx(fields: Fields) -> Context:
    return Context(fields["game"], fields["serial"], fields["seat"])


def _party(fields: Fields) -> Party:
    return Party(_ctx(fields), fields["key"])


def _cards(data: bytes) -> tuple[card.Card, ...]:
    return card.unchecked(data)


def _card(data: bytes) -> card.Card:
    (single,) = card.unchecked(data)
    return single


def _keys(fields: Fields) -> None:
    keys.check(_ctx(fields), fields["key"], fields["proof"], fields["earlier"])
    keys.joint([*fields["earlier"], fields["key"]])


def _shuffle(fields: Fields) -> None:
    shuffle.check(_ctx(fields), fields["key"], _cards(fields["before"]), fields["after"], fields["proof"])


def _tokens(fields: Fields) -> None:
    tokens.check(_party(fields), fields["firsts"], fields["tokens"], fields["proof"])


def _opening(fields: Fields) -> None:
    opening.check(_party(fields), _card(fields["card"]), fields["face"], fields["proof"])


def _move(fields: Fields) -> None:
    move.check(_party(fields), _card(fields["card"]), fields["to"], fields["moved"], fields["proof"])


def _claim(fields: Fields) -> None:
    membership.check(_party(fields), _cards(fields["cards"]), fields["tuples"], fields["proof"], CLAIM)


def dealt(case: Fields) -> Deal:
    """The deal in `case`, checked."""
    fields = case["commitments"], case["ephemeral"], case["pads"]
    return escrow.check_deal(_party(case), case["seats"], case["threshold"], fields)


def _deal(fields: Fields) -> None:
    dealt(fields)


def _share(fields: Fields) -> None:
    escrow.read_share(dealt(fields["deal"]), fields["seat"], fields["share"])


def _complaint(fields: Fields) -> None:
    reason = escrow.judge(_party(fields), dealt(fields["deal"]), fields["point"], fields["proof"])
    raise ProofError("wrong-share" if reason else "false-complaint")


def _released(fields: Fields) -> None:
    keys.read_secret(fields["secret"], fields["key"])


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


def _points_in(fields: Fields) -> Iterator[bytes]:
    for name in ("key", "to", "card", "cards", "before"):
        if name in fields:
            yield fields[name]
    yield from (*fields.get("firsts", ()), *fields.get("earlier", ()))
    if "deal" in fields:
        yield fields["deal"]["key"]


def judged(kind: str, fields: Fields) -> str:
    """HOLDS, or the rule that `fields` breaks.  All fields count as received here."""
    try:
        for data in _points_in(fields):
            points(data, len(data) // 32)
        CHECKS[kind](fields)
    except ProofError as error:
        return error.rule
    return HOLDS


def hold(proofs: Sequence[CardProof]) -> bool:
    """Whether proofs hold, of which a test checks none twice."""
    try:
        for fields in proofs:
            verification.settle(fields)
    except ProofError:
        return False
    return True
