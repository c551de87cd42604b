"""Seats with keys for cards, and decks of theirs, all from fixed bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

from p2p_stratego.core.game import Face, Seat
from protocol.crypto.group.backend import group
from protocol.crypto.group.hashing import Context
from protocol.crypto.group.nonces import Nonces, deck_key, share_key
from protocol.crypto.proofs import card, keys, shuffle, tokens
from protocol.crypto.proofs.card import Card
from protocol.crypto.proofs.party import Party, Prover

GAME = hashlib.sha256(b"a game of cards").digest()


def repeated(seed: str) -> Callable[[int], bytes]:
    """Bytes that follow from a text, other ones at each call."""
    calls = iter(range(2**32))
    return lambda length: hashlib.shake_256(f"{seed} {next(calls)}".encode()).digest(length)


class Seats:
    """Some seats of one match, their keys, and what each of them proves."""

    def __init__(
        self,
        count: int,
        seed: str = "seats",
        game: bytes = GAME,
        fresh: Callable[[str], Callable[[int], bytes]] = repeated,
    ) -> None:
        """`fresh`: gives each seat, by a text, what its nonces take for random bytes."""
        self.game = game
        self.masters = [hashlib.sha256(f"{seed} {seat}".encode()).digest() for seat in range(count)]
        self.secrets = [deck_key(master, game, seat) for seat, master in enumerate(self.masters)]
        self.nonces = [
            Nonces(master, game, seat, fresh(f"{seed} {seat}")) for seat, master in enumerate(self.masters)
        ]
        self.keys = [
            keys.prove(self.context(0, seat), x, nonces)[0]
            for seat, (x, nonces) in enumerate(zip(self.secrets, self.nonces, strict=True))
        ]
        self.joint = keys.joint(self.keys)
        self.share_secrets = [share_key(master, game, seat) for seat, master in enumerate(self.masters)]
        self.share_keys = [group().base(z) for z in self.share_secrets]

    def context(self, serial: int, seat: Seat) -> Context:
        """The place of the Ask with this serial for a seat."""
        return Context(self.game, serial, seat)

    def prover(self, serial: int, seat: Seat) -> Prover:
        """A seat with its secret."""
        return Prover(self.context(serial, seat), self.secrets[seat], self.nonces[seat])

    def receiver(self, serial: int, seat: Seat) -> Prover:
        """A seat with its secret for shares."""
        return Prover(self.context(serial, seat), self.share_secrets[seat], self.nonces[seat])

    def party(self, serial: int, seat: Seat) -> Party:
        """The same seat as others see it."""
        return Party(self.context(serial, seat), self.keys[seat])

    def deck(self, faces: Sequence[Face]) -> tuple[Card, ...]:
        """A new deck, not shuffled."""
        return tuple(card.public(face, self.joint) for face in faces)

    def shuffled(self, cards: Sequence[Card], serial: int = 1) -> tuple[Card, ...]:
        """The deck after every seat's shuffle, each checked."""
        for seat, nonces in enumerate(self.nonces):
            ctx = self.context(serial, seat)
            after, proof = shuffle.shuffle(ctx, self.joint, cards, nonces)
            cards = shuffle.check(ctx, self.joint, cards, after, proof)
        return tuple(cards)

    def drawn(self, cards: Sequence[Card], seat: Seat, serial: int = 2) -> list[Card]:
        """Cards of the deck as the seat holds them, after the checked tokens of all others."""
        given = []
        firsts = [closed.a for closed in cards]
        for other in range(len(self.keys)):
            if other != seat:
                made = tokens.give(self.prover(serial, other), firsts)
                given.append(tokens.check(self.party(serial, other), firsts, *made))
        return [
            card.without(closed, tokens)
            for closed, tokens in zip(cards, zip(*given, strict=True), strict=True)
        ]

    def own(self, seat: Seat, face: Face, serial: int = 1) -> Card:
        """A card with this face under the seat's own key."""
        stream = self.nonces[seat].serve(b"a card", (serial, face))
        r = stream.scalar()
        g = group()
        return Card(g.base(r), g.add(card.marker(face), g.multiply(r, self.keys[seat])))
