"""Tables with a liar, and false claims."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, Final

from p2p_stratego.core.game import Choose, Decision, Seat
from p2p_stratego.core.sides import without
from p2p_stratego.registry import GAMES
from protocol.record.asks.base import Decided
from protocol.record.asks.open import Opening
from protocol.record.statements import Kind
from protocol.seat import replies
from protocol.seat.session import Session
from tests.helpers.cheats.bout import Bout
from tests.helpers.games.players import honest
from tests.helpers.games.toy import GAMES as TOYS
from tests.helpers.games.toy import TOY

ALL_GAMES: Final = {**GAMES, **TOYS}

LIARS: Final[Mapping[str, dict[str, Any]]] = {
    "two, the first lies": {"liar": 0},
    "two, the second lies": {"liar": 1},
    "three, the middle one lies": {"liar": 1, "seats": 3, "game": TOY, "options": {"rounds": 2}},
    "four, the last one lies": {"liar": 3, "seats": 4, "game": TOY, "options": {"rounds": 2}},
}


CLAIMING: Final[dict[str, dict[str, Any]]] = {
    "two": {"game": TOY, "seats": 2, "options": {"claims": "yes", "rounds": 2}, "liar": 1},
    "three": {"game": TOY, "seats": 3, "options": {"claims": "yes", "rounds": 2}, "liar": 1},
    "four": {"game": TOY, "seats": 4, "options": {"claims": "yes", "rounds": 2}, "liar": 2},
}


def false_hand(session: Session, decision: Decision, rng: random.Random) -> Decided:
    """A hand with two of one face instead of one of each."""
    if not isinstance(decision, Choose) and decision.exactly:
        return 1, 1, 2
    return honest(session, decision, rng)


def revealing(bout: Bout) -> bool:
    return bout.liar.seat in bout.liar.referee.unsettled


def openings(bout: Bout) -> tuple[Opening, ...]:
    liar = bout.liar
    return replies.openings(liar.secrets, liar.referee, liar.seat, liar.session.known)


def settling(seed: int, table: dict[str, Any], *, crook: Any = None) -> Bout:
    """A match whose play is over, and the liar has claims to settle.

    Of two the liar has just resigned, in the middle; among more that ends no play, so the rules ended it.
    """
    if table["seats"] > 2:
        return next(b for n in range(20) if (b := Bout(seed + n, **table, crook=crook)).run(revealing))
    bout = Bout(seed, **table, crook=crook)
    bout.run(lambda b: b.liar.owes is not None and b.liar.referee.count > 12)
    bout.tell(bout.liar.statement(Kind.RESIGN))
    assert revealing(bout)
    return bout


def winners(bout: Bout, session: Session) -> frozenset[Seat]:
    """The winners once the liar is found out, as this session has followed the match."""
    ended = session.referee.provisional
    return without(bout.begun.sides, bout.liar.seat, None if ended is None else ended.winners)
