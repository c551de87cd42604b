"""How a forged match ends by the rules of its game alone: without messages, records, referee and audit.

The rulebook is asked step by step (`p2p_stratego.core.self_play`), and answered with what the players of the
match laid, said and threw: of hidden things with the faces that each player's own program knows.
So a verdict that comes from here rests on the rulebook and on no line of the auditor that it is held against.
Games with decks are not told so: nobody knows what lies in a deck.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from p2p_stratego.core.game import (
    Ask,
    Breach,
    Choose,
    Claim,
    ClaimOneOf,
    Decision,
    Face,
    Mix,
    Open,
    Outcome,
    Roll,
    Seat,
    Sides,
    Slot,
)
from p2p_stratego.core.self_play import Decided, Table, played
from p2p_stratego.core.sides import side_of, without
from p2p_stratego.core.view import AnsweredAsk
from protocol.crypto.coin_toss import result
from protocol.record.asks.base import Answered
from protocol.record.asks.base import Table as Record
from tests.helpers.seats.pair import Table as Match


class ShownFalse(Exception):
    """An opening shows a claim to be false: play ends there (SPEC 10.2.12)."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a match ends.  `breach`: the seat and the rule, if one was broken."""

    winners: frozenset[Seat]
    reason: str
    breach: Breach | None = None


class Remembered(Table):
    """Answers each Ask as the players of a match did."""

    def __init__(
        self,
        known: Sequence[Mapping[Slot, Face]],
        moves: Mapping[Seat, Sequence[str]],
        tosses: Iterator[Callable[[int], int]],
        left: Mapping[int, Sequence[Seat]],
    ) -> None:
        """`known`: by seat, the faces that it knows; `moves`: by seat, what it chose, in order; `tosses`: for
        each Roll, a function from sides to a result; `left`: by the number of an Ask, who went in it.
        """
        super().__init__(
            [None] * len(known),  # type: ignore[list-item]  # nobody decides here
            random.Random(),
            lambda number, _: left.get(number, ()),
            readable=False,
        )
        self.remembered, self.tosses = known, tosses
        self.moves = {seat: deque(line) for seat, line in moves.items()}
        self.claims: list[Claim] = []

    def answer(self, ask: Ask, state: object, since: tuple[AnsweredAsk, ...]) -> Any:
        """The answer; raises ShownFalse."""
        if isinstance(ask, Roll):
            return next(self.tosses)(ask.sides)
        answer = super().answer(ask, state, since)
        if isinstance(ask, Open | Claim) and any(
            self.false(claim, self.cards.opened) for claim in self.claims
        ):
            raise ShownFalse
        return answer

    def decide(self, decision: Decision, state: object, since: tuple[AnsweredAsk, ...]) -> Decided:
        """What its player decided, or its program drew."""
        if isinstance(decision, Choose):
            return self.moves[decision.seat].popleft()
        return tuple(self.remembered[decision.seat][slot] for slot in decision.slots)

    def mix(self, ask: Mix, state: object, since: tuple[AnsweredAsk, ...]) -> None:
        """Lay the faces as its player, or its program, did."""
        faces = tuple(self.remembered[ask.seat][slot] for slot in ask.new)
        self.cards.held(ask.old)
        self.cards.bury(ask.old)
        self.cards.lay(ask.seat, ask.new, faces)

    def check(self, claim: Claim | ClaimOneOf) -> None:
        """Keep it: a false one may come to light."""
        assert isinstance(claim, Claim)
        self.claims.append(claim)

    def false(self, claim: Claim, shown: set[Slot]) -> bool:
        """Whether these slots show the claim to be false."""
        return any(self.cards.faces[slot] not in claim.faces for slot in claim.slots if slot in shown)

    def first_false(self, shown: set[Slot]) -> Claim | None:
        """The earliest claim that these slots show to be false."""
        return next((claim for claim in self.claims if self.false(claim, shown)), None)


def ending(match: Match, moves: Mapping[Seat, Sequence[str]], witness: Seat = 0) -> Ending:
    """How a match ends that is played to its end by the rules, claims settled; for games without decks.

    `moves`: by seat, what it chose; `witness`: a seat that was there until the end, for the dice that were
    thrown and the places at which others went.
    """
    record = match.seats[witness].session.referee.table
    tosses = [(number, shares) for number, shares in enumerate(record.tossed) if shares is not None]
    thrown = (
        lambda sides, number=number, shares=shares: result(match.begun.id, number, shares, sides)
        for number, shares in tosses
    )
    known = [seat.session.known for seat in match.seats]
    table = Remembered(known, moves, thrown, places_left(record))
    sides = match.begun.sides
    try:
        end = played(match.game, table, match.begun.options).outcome
    except ShownFalse:
        claim = table.first_false(table.cards.opened)
        assert claim is not None
        return fault(sides, claim, None, [])
    claim = table.first_false(
        {slot for slot in table.cards.faces if table.cards.holders[slot] not in table.gone}
    )
    if end.breach is None and claim is not None:
        liars = [other.seat for other in table.claims if table.false(other, {*table.cards.faces})]
        return fault(sides, claim, end, liars)
    return Ending(end.winners, end.reason, end.breach)


def places_left(table: Record) -> dict[int, list[Seat]]:
    """By the number of an Ask, the seats that went while it was under way, by the chain that stands."""
    completed = [step.number for step in table.history if isinstance(step, Answered)]
    left: dict[int, list[Seat]] = {}
    for seat, entry in table.gone.items():
        left.setdefault(sum(number < entry for number in completed), []).append(seat)
    return left


def fault(sides: Sides, claim: Claim, ended: Outcome | None, liars: Sequence[Seat]) -> Ending:
    """The end that follows from a false claim (SPEC 10.2.10, 10.2.11)."""
    winners = without(sides, claim.seat, None if ended is None else ended.winners)
    if len(sides) > 2:
        winners = winners.difference(*(side_of(sides, liar) for liar in liars))
    return Ending(winners, "cheated", Breach(claim.seat, claim.rule))
