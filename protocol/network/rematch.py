"""The return match: two players whose match has ended begin another one on the same connection.

A side that wants one sends REMATCH with its part of the new genesis; once both have sent it, both build the
same genesis from the two parts.  There is no offer and answer, so crossing frames cannot conflict.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from p2p_stratego.core.game import Seat
from protocol.errors import Malformed
from protocol.network.channel import REMATCH
from protocol.network.handshake import Person, seat_part
from protocol.record import genesis
from protocol.record.genesis import NONCE_BYTES, Genesis, Player
from protocol.seat.secrets import MASTER_BYTES, MatchSecrets
from protocol.wire.encoding import Frame, decode, encode


def next_seat(match: Genesis, seat: Seat) -> Seat:
    """The seat of the player of `seat` in the return match: of two, the other one."""
    return (seat + 1) % len(match.players)


class Rematch:
    """The requests for a return match so far, of our player and of the other one."""

    def __init__(self, match: Genesis, seat: Seat) -> None:
        self._match = match
        self._seat = seat
        self._own: Player | None = None
        self._theirs: Player | None = None
        self.master = b""
        """Our master secret for it, 32 bytes."""

    @property
    def wanted(self) -> tuple[bool, bool]:
        """Whether we asked for it, and whether the other side did."""
        return self._own is not None, self._theirs is not None

    def ask(self, entropy: Callable[[int], bytes]) -> Frame:
        """The REMATCH to send, once, when our player wants a return match."""
        self.master = entropy(MASTER_BYTES)
        seat = next_seat(self._match, self._seat)
        current = self._match.players[self._seat]
        person = Person(current.key, current.name)
        self._own = seat_part(person, self._match.game, seat, MatchSecrets(self.master))
        return Frame(REMATCH, encode([self._match.id, self._own.nonce, self._own.anchor]))

    def asked(self, payload: bytes) -> None:
        """Take the REMATCH of the other side.  Raises Malformed."""
        match decode(payload):
            case [bytes() as match, bytes() as nonce, bytes() as anchor] if (
                match == self._match.id and len(nonce) == len(anchor) == NONCE_BYTES
            ):
                pass
            case _:
                raise Malformed("A REMATCH is not the match that ended, a nonce and an anchor.")
        if self._theirs is not None:
            raise Malformed("A return match is asked for twice.")
        current = self._match.players[next_seat(self._match, self._seat)]
        self._theirs = Player(current.key, current.name, nonce, anchor)

    def agreed(self, state: Any) -> Genesis | None:
        """The genesis of the return match, once both want it; `state`: the game's own at the end of this one.

        Raises Malformed if the other side's part mirrors ours.
        """
        if self._own is None or self._theirs is None:
            return None
        old = self._match
        # A match that ended during its set-up has no state that tells the next starter.
        options = old.options if state is None else old.game.rematch(old.options, state)
        players = (self._own, self._theirs)
        in_order = players if next_seat(old, self._seat) == 0 else players[::-1]
        return genesis.make(old.game, options, in_order)
