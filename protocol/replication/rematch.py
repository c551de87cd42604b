"""The return match: the players of a match that has ended begin another over the same links.

A seat that wants it signs its part of the new genesis.  The parts are flooded, since a seat may be reached
through others only.  A seat with all parts builds the genesis from them, and all build the same.  There is no
offer and answer, so crossing frames cannot conflict.  The newest wish of a seat counts: if its process was
killed, nobody knows the secret of an older wish any more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from p2p_stratego.core.game import Seat
from protocol.channel.channel import REMATCH
from protocol.crypto.keys import SIGNATURE_BYTES, Identity
from protocol.errors import Malformed
from protocol.limits import MAX_WISHES
from protocol.lobby.handshake import Person, seat_part
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
        self._parts: dict[Seat, tuple[int, Player]] = {}
        """By seat in the match that ended: the number of its wish, and its part."""
        self._void: dict[Seat, int] = {}
        """By seat: the number under which it signed two wishes; up to it its wishes do not count."""
        self._forgotten = -1
        """The number of the newest wish of ours that others hold and `_parts` does not; −1: none."""
        self.master = b""
        """Our master secret for the return match, 32 bytes."""

    @property
    def asked(self) -> frozenset[Seat]:
        """The seats that want the return match, without seats whose parts mirror each other (threat 5).

        Nobody else can tell which of the two parts came first; of our own part we know.
        """
        nonces = Counter(part.nonce for _, part in self._parts.values())
        anchors = Counter(part.anchor for _, part in self._parts.values())
        return frozenset(
            seat
            for seat, (_, part) in self._parts.items()
            if seat == self._seat or nonces[part.nonce] == anchors[part.anchor] == 1
        )

    @property
    def overtaken(self) -> bool:
        """Whether a wish of ours from before a restart counts for others.

        Then we ask again: else they could begin a match for which we have no secret.
        """
        return self._forgotten >= 0 and self._next <= self._forgotten + 1 < MAX_WISHES

    @property
    def _next(self) -> int:
        known = self._parts.get(self._seat)
        return 0 if known is None else known[0] + 1

    def ask(self, identity: Identity, entropy: Callable[[int], bytes]) -> tuple[int, Frame]:
        """The number of a new wish of our player, and its REMATCH."""
        self.master = entropy(MASTER_BYTES)
        current = self._match.players[self._seat]
        seat = next_seat(self._match, self._seat)
        own = seat_part(Person(current.key, current.name), self._match.game, seat, MatchSecrets(self.master))
        number = max(self._next, self._forgotten + 1)
        self._parts[self._seat] = number, own
        body = encode([self._match.id, self._seat, number, own.nonce, own.anchor])
        return number, Frame(REMATCH, body + identity.sign(labels.SIGN_REMATCH, self._match.id + body))

    def take(self, payload: bytes, carrier: Seat | None = None) -> tuple[Seat, int] | None:
        """Take a REMATCH from `carrier`; return the seat and number of the wish, or None.

        None for a known wish, a void wish, and our own.  Two different wishes of one seat with one number are
        both void, as others may have got either first.  Raises Malformed; for two such wishes only if the
        seat itself brought the second.
        """
        match decode(payload[:-SIGNATURE_BYTES]):
            case [bytes() as match, int() as seat, int() as number, bytes() as nonce, bytes() as anchor] if (
                match == self._match.id
                and seat < len(self._match.players)
                and number < MAX_WISHES
                and len(nonce) == len(anchor) == NONCE_BYTES
            ):
                pass
            case _:
                raise Malformed(
                    "A REMATCH is not the match that ended, a seat, numbers, a nonce and an anchor."
                )
        current = self._match.players[seat]
        part = Player(current.key, current.name, nonce, anchor)
        known = self._parts.get(seat)
        newest = -1 if known is None else known[0]
        if known == (number, part) or number < newest or (seat == self._seat and number <= self._forgotten):
            return None
        if number <= self._void.get(seat, -1):
            return None
        if not self._match.signed(seat, labels.SIGN_REMATCH, payload):
            raise Malformed("A REMATCH is not signed by the seat that it names.")
        if number == newest and seat != self._seat:
            del self._parts[seat]
            self._void[seat] = number
            if seat == carrier:
                raise Malformed("A seat asks twice for a return match, not alike.")
            return None
        if seat == self._seat:
            self._forgotten = number
            return None
        self._parts[seat] = number, part
        return seat, number

    def agreed(self, state: Any) -> Genesis | None:
        """The genesis of the return match, if all want it; `state`: the game's, at the end of this match."""
        old = self._match
        if len(self.asked) < len(old.players) or not self.master:
            return None
        # A match that ended during its set-up has no state that tells the next starter.
        options = old.options if state is None else old.game.rematch(old.options, state)
        rotated = {next_seat(old, seat): part for seat, (_, part) in self._parts.items()}
        parts = tuple(rotated[seat] for seat in sorted(rotated))
        return genesis.make(
            old.game,
            options,
            parts,
            proofs=old.proofs,
            escrow=old.escrow,
            pace=old.pace,
            clock=old.clock,
            takebacks=old.takebacks,
        )
