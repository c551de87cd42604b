"""The bids of the agent for russia, and the shares of its powers in the price."""

from __future__ import annotations

from typing import Final

from p2p_stratego.core.game import Move
from p2p_stratego.core.view import Chance
from p2p_stratego.spies.bots.worths import Worths
from p2p_stratego.spies.rules.atlas import GERMANY, RUSSIA
from p2p_stratego.spies.rules.bids import powers_of
from p2p_stratego.spies.rules.notation import NO_MORE, words

A_TURN: Final = 1.0
A_SPY: Final = 0.5
A_CHIT: Final = 0.25
A_LOAD: Final = 1.5
A_GUEST: Final = 0.8
"""The worth of a year of russia: at all, by its spies, chits and secrets, and by the spies that it hunts."""
BOUND: Final = 0.2
"""The share left of that for powers that the pact binds."""
PART: Final = 0.7
"""How much of its worth the agent pays: the rest is its gain."""
AGAIN: Final = 3
"""How many of the lowest bids it draws from when it must bid again."""
RESERVE: Final = 8
"""Pounds that each power keeps."""


def worth_of_russia(worths: Worths) -> float:
    """The worth to this seat of running russia in this year, in points."""
    state = worths.state
    worth = A_TURN + A_CHIT * len(state.hands[RUSSIA])
    for spy, _ in state.own(RUSSIA):
        worth += A_SPY + (worths.carried(spy) is not None) * A_LOAD
    for piece in state.spies:
        if piece.where == "map" and piece.power != RUSSIA and state.territory[piece.city] == RUSSIA:
            worth += A_GUEST
    if state.pact and GERMANY not in powers_of(state, worths.seat):
        worth *= BOUND
    return worth * worths.rival


def limit(worths: Worths) -> int:
    """The most that the agent pays: PART of the worth of russia, as long as its powers keep their RESERVE."""
    worth = PART * worth_of_russia(worths)
    left = {power: worths.pounds(power) for power in powers_of(worths.state, worths.seat)}
    spent, paid = 0.0, 0
    while True:
        power = max(left, key=lambda candidate: left[candidate])
        price = -worths.change(power, left[power] - 1 - worths.pounds(power)) + worths.change(
            power, left[power] - worths.pounds(power)
        )
        if left[power] <= RESERVE or spent + price > worth:
            return paid
        spent, paid = spent + price, paid + 1
        left[power] -= 1


def bid(worths: Worths, options: list[Move], chance: Chance) -> Move:
    """A bid below the limit, not always the same part of it; who must bid again adds little."""
    sums = sorted(int(move.split()[1]) for move in options if move != NO_MORE)
    if not sums:
        return NO_MORE
    if sums[0] > 0:  # a little above the least, or two who tie would go on until one is poor
        return words("bid", sums[min(len(sums) - 1, int(AGAIN * chance.random()))])
    most = limit(worths)
    others = [
        sum(worths.pounds(power) for power in powers_of(worths.state, seat))
        for seat in range(worths.state.seats)
        if seat != worths.seat and seat not in worths.state.gone
    ]
    if not worths.state.secret:
        most = min(most, max(others, default=0) + 1)
    wanted = round(most * (0.5 + 0.5 * chance.random()))
    return words("bid", max(pounds for pounds in sums if pounds <= wanted))


def share(worths: Worths, options: list[Move]) -> Move:
    """How two powers pay: the richer one first."""
    own = powers_of(worths.state, worths.seat)

    def cost(move: Move) -> float:
        parts = map(int, move.split()[1:])
        return sum(worths.change(power, -pounds) for power, pounds in zip(own, parts, strict=True))

    return max(options, key=cost)
