"""The return match: the players of a match that has ended begin another one over the same links.

A seat that wants one signs its part of the new genesis; the parts are flooded, since a seat may be reached
through others only.  Once a seat holds every part, it builds the genesis from them, and all build the same.
There is no offer and answer, so crossing frames cannot conflict.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from p2p_stratego.core.game import Seat
from protocol.crypto.keys import SIGNATURE_BYTES, Identity
from protocol.errors import Malformed
from protocol.network.channel import REMATCH
from protocol.network.handshake import Person, seat_part
from protocol.record import genesis
from protocol.record.genesis import NONCE_BYTES, Genesis, Player
from protocol.seat.secrets import MASTER_BYTES, MatchSecrets
from protocol.wire import labels
from protocol.wire.encoding import Frame, decode, encode


def next_seat(match: Genesis, seat: Seat) -> Seat:
    """The seat of the player of `seat` in the return match."""
    return (seat + 1) % len(match.players)


class Rematch:
    """The parts of a return match so far."""

    def __init__(self, match: Genesis, seat: Seat) -> None:
        self._match = match
        self._seat = seat
        self._parts: dict[Seat, Player] = {}
        """By seat in the match that ended."""
        self.master = b""
        """Our master secret for it, 32 bytes."""
        self.since: float | None = None
        """When the first part was made or came, by the caller's clock."""

    @property
    def asked(self) -> frozenset[Seat]:
        """The seats that want it."""
        return frozenset(self._parts)

    def ask(self, identity: Identity, entropy: Callable[[int], bytes], now: float) -> Frame:
        """The REMATCH to send, once, when our player wants a return match."""
        self.master = entropy(MASTER_BYTES)
        current = self._match.players[self._seat]
        seat = next_seat(self._match, self._seat)
        own = seat_part(Person(current.key, current.name), self._match.game, seat, MatchSecrets(self.master))
        self._add(self._seat, own, now)
        body = encode([self._match.id, self._seat, own.nonce, own.anchor])
        return Frame(REMATCH, body + identity.sign(labels.SIGN_REMATCH, self._match.id + body))

    def take(self, payload: bytes, now: float) -> Seat | None:
        """Take the REMATCH of another seat; return whose it is, or None if it is known.  Raises Malformed."""
        match decode(payload[:-SIGNATURE_BYTES]):
            case [bytes() as match, int() as seat, bytes() as nonce, bytes() as anchor] if (
                match == self._match.id
                and seat < len(self._match.players)
                and len(nonce) == len(anchor) == NONCE_BYTES
            ):
                pass
            case _:
                raise Malformed("A REMATCH is not the match that ended, a seat, a nonce and an anchor.")
        current = self._match.players[seat]
        part = Player(current.key, current.name, nonce, anchor)
        if (known := self._parts.get(seat)) is not None:
            if known != part:
                raise Malformed("A seat asks twice for a return match, not alike.")
            return None
        if not self._match.signed(seat, labels.SIGN_REMATCH, payload):
            raise Malformed("A REMATCH is not signed by the seat that it names.")
        self._add(seat, part, now)
        return seat

    def agreed(self, state: Any) -> Genesis | None:
        """The genesis of the return match, once all want it; `state`: the game's own at the end of this one.

        Raises Malformed if one part mirrors another.
        """
        old = self._match
        if len(self._parts) < len(old.players) or not self.master:
            return None
        # A match that ended during its set-up has no state that tells the next starter.
        options = old.options if state is None else old.game.rematch(old.options, state)
        rotated = {next_seat(old, seat): part for seat, part in self._parts.items()}
        return genesis.make(old.game, options, tuple(rotated[seat] for seat in sorted(rotated)))

    def _add(self, seat: Seat, part: Player, now: float) -> None:
        self._parts[seat] = part
        self.since = now if self.since is None else self.since
