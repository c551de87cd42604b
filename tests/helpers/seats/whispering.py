"""A game in which two may talk alone, and what is written to one seat."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from p2p_stratego.core.game import Game, Seat
from protocol.crypto.sealed_talk import TalkContext, seal
from tests.helpers.cheats.bout import Liar
from tests.helpers.games.players import honest
from tests.helpers.games.toy import Toy
from tests.helpers.seats.pair import Table


class WhisperingToy(Toy):
    """The toy game, with talk between two."""

    private_talk: Final = True  # type: ignore[misc]  # the one difference


WHISPERING: Final[Game[Any]] = WhisperingToy()
GAMES: Final[Mapping[str, Game[Any]]] = MappingProxyType({WHISPERING.name: WHISPERING})


def whispering(seats: int = 3) -> Table:
    """All have agreed; nothing is under way."""
    return Table(1, game=WHISPERING, seats=seats, decide=honest).hold()


def box(liar: Liar, to: Seat, text: bytes, **place: Any) -> bytes:
    """What the liar seals for seat `to` in its next statement, or as if in another place."""
    true = TalkContext(liar.begun.id, liar.seat, to, len(liar.referee.statements[liar.seat]))
    key = liar.referee.statements[to][0].content[0]
    return seal(true._replace(**place), key, text)
