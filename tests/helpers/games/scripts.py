"""The script of a match, one message at a time, without keys and signatures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pytest

from p2p_stratego.core.game import Ask, Outcome, Seat
from protocol.crypto.coin_toss import chain
from protocol.crypto.commitment import hide_choice, hide_face
from protocol.crypto.keys import Identity
from protocol.record.asks.base import BrokenRule, Obligation, SeatLeft, Table
from protocol.record.asks.play import play
from protocol.record.asks.together import HiddenChoice
from protocol.record.genesis import Genesis, Player, make
from protocol.wire.messages import Message
from tests.helpers.games.scripted import Scripted

SALT: Final = bytes(range(32))
LINKS: Final = [chain(seat, bytes([seat]) * 32, 3) for seat in range(3)]


def begun(game: Scripted, seats: int = 3, *, takebacks: bool = False) -> Genesis:
    players = tuple(
        Player(Identity(bytes([seat + 1]) * 32).key, "Ada", bytes([seat]) * 32, LINKS[seat][0])
        for seat in range(seats)
    )
    return make(game, {}, players, takebacks=takebacks)


class Match:
    """The script of a match, one message at a time."""

    def __init__(self, *turns: Sequence[Ask], seats: int = 3, takebacks: bool = False) -> None:
        self.table = Table(begun(Scripted(*turns), seats, takebacks=takebacks))
        self.script = play(self.table)
        self.owed: Obligation | None = next(self.script)
        self.outcome: Outcome | None = None

    @property
    def game(self) -> bytes:
        return self.table.genesis.id

    def say(self, *messages: Message) -> Match:
        for message in messages:
            try:
                self.owed = self.script.send(message)
            except StopIteration as stop:
                self.owed, self.outcome = None, stop.value
            self.table.number += 1
        return self

    def leave(self) -> Match:
        """The seat that owes a message leaves instead."""
        assert self.owed is not None
        self.table.gone[self.owed.seat] = self.table.number
        try:
            self.owed = self.script.throw(SeatLeft())
        except StopIteration as stop:
            self.owed, self.outcome = None, stop.value
        self.table.number += 1
        return self

    def breaks(self, message: Message) -> str:
        with pytest.raises(BrokenRule) as broken:
            self.script.send(message)
        return broken.value.rule

    def owes(self) -> tuple[Seat, type[Message]]:
        assert self.owed is not None
        return self.owed.seat, self.owed.message

    def commitment(self, seat: Seat, slot: int, face: int) -> bytes:
        return hide_face(self.game, seat, slot, face, SALT)

    def hidden(self, seat: Seat, serial: int, move: str) -> HiddenChoice:
        return HiddenChoice(hide_choice(self.game, seat, serial, move, SALT))
