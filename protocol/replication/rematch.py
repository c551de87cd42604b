"""The return match: the players of a match that has ended begin another one over the same links.

A seat that wants one signs its part of the new genesis; the parts are flooded, since a seat may be reached
through others only.  Once a seat holds every part, it builds the genesis from them, and all build the same.
There is no offer and answer, so crossing frames cannot conflict.  Of several wishes of one seat the newest
counts: one that was said before its process was killed has a secret that nobody knows any more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from p2p_stratego.core.game import Seat
from protocol.channel.channel import REMATCH
from protocol.channel.limits import MAX_WISHES
from protocol.crypto.keys import SIGNATURE_BYTES, Identity
from protocol.errors import Malformed
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
        """By seat: the number up to which its wishes do not count, as it signed two with that one."""
        self._forgotten = -1
        """The number of the newest wish of ours that others hold and that is not the one in `_parts`."""
        self.master = b""
        """Our master secret for it, 32 bytes."""

    @property
    def asked(self) -> frozenset[Seat]:
        """The seats that want it: not those whose part mirrors another seat's (threat 5).

        Nobody else can tell which of the two came first; we know it of our own part.
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
        """Whether a wish of ours from before a restart counts for others.  We ask again: they could begin a
        match for which we have no secret.
        """
        return self._forgotten >= 0 and self._next <= self._forgotten + 1 < MAX_WISHES

    @property
    def _next(self) -> int:
        known = self._parts.get(self._seat)
        return 0 if known is None else known[0] + 1

    def ask(self, identity: Identity, entropy: Callable[[int], bytes]) -> tuple[int, Frame]:
        """The number of our wish, and the REMATCH to send, when our player wants a return match."""
        self.master = entropy(MASTER_BYTES)
        current = self._match.players[self._seat]
        seat = next_seat(self._match, self._seat)
        own = seat_part(Person(current.key, current.name), self._match.game, seat, MatchSecrets(self.master))
        number = max(self._next, self._forgotten + 1)
        self._parts[self._seat] = number, own
        body = encode([self._match.id, self._seat, number, own.nonce, own.anchor])
        return number, Frame(REMATCH, body + identity.sign(labels.SIGN_REMATCH, self._match.id + body))

    def take(self, payload: bytes, carrier: Seat | None = None) -> tuple[Seat, int] | None:
        """Take a REMATCH that came from `carrier`; return whose wish it is, and its number, or None if it is
        known, void, or our own.

        Two different ones of one seat with one number are both void: others may have got the first or the
        second.  Raises Malformed, for these only if the seat itself brought the second.
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
        """The genesis of the return match, once all want it; `state`: the game's own at the end of this."""
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
        )
