"""Bidding for russia, and how it changes hands."""

from __future__ import annotations

from typing import Any, Final

from p2p_stratego.core.game import Choose, Give, Mix, Move, Seat, Slot, Together, Turn
from p2p_stratego.spies.rules.act import WRONG_TILE, Act, chosen, put, show_secret
from p2p_stratego.spies.rules.allocation import SEATS
from p2p_stratego.spies.rules.atlas import RUSSIA, Power
from p2p_stratego.spies.rules.notation import NO_MORE, words
from p2p_stratego.spies.rules.purse import MOST, pay, proved
from p2p_stratego.spies.rules.state import MIXED_TILES, State, Sum

_BIDS: Final = [words("bid", pounds) for pounds in range(MOST + 1)]
"""Every bid that a secret purse can stand for."""


def powers_of(state: State, seat: Seat) -> tuple[Power, ...]:
    """The powers that a seat has for good."""
    return SEATS[state.seats, state.allocation][seat]


def purse_of(state: State, seat: Seat) -> int:
    """The pounds of a seat's powers together; with secret purses the pounds that they surely have."""
    return sum(state.least[power] for power in powers_of(state, seat))


def bid_options(state: State, seat: Seat, least: int) -> list[Move]:
    """The bids of a seat from `least` on; with secret purses also that it has no more."""
    if not state.secret:
        return [words("bid", pounds) for pounds in range(least, purse_of(state, seat) + 1)]
    return [*_BIDS[least:], NO_MORE] if least else [*_BIDS]


def bidding(act: Act) -> Turn[None]:
    """All bid for russia; it changes hands, or stays.  Raises Stopped."""
    seats = [seat for seat in range(act.state.seats) if seat not in act.state.gone]
    winner, price, tied = None, 0, seats
    least = 0
    while seats:
        bids = yield from _round(act, seats, least)
        if not bids:
            break
        price = max(bids.values())
        tied = [seat for seat, pounds in bids.items() if pounds == price]
        if price == 0:
            break
        if len(tied) == 1:
            winner = tied[0]
            break
        seats = [seat for seat in tied if act.state.secret or purse_of(act.state, seat) > price]
        least = price + 1
    if winner is None:
        winner, price = act.state.runs[RUSSIA], 0
        if winner is None:
            winner = min(tied)
    yield from _paid(act, winner, price)
    act.tell("russia", RUSSIA, other=winner, numbers=(price,))
    yield from hand_over(act, winner)


def _round(act: Act, seats: list[Seat], least: int) -> Turn[dict[Seat, int]]:
    """One round of bids, all shown at once: by seat, for the seats that bid."""
    answers: tuple[Move | None, ...] = yield Together(
        tuple(Choose(seat, bid_options(act.state, seat, least)) for seat in seats)
    )
    bids = {}
    for seat, move in zip(seats, answers, strict=True):
        if move is None:
            continue
        if move == NO_MORE:
            yield from _prove(act, seat, least - 1, nothing=True)
            continue
        bids[seat] = int(move.split()[1])
        if bids[seat] > purse_of(act.state, seat):
            yield from _prove(act, seat, bids[seat], nothing=False)
    return bids


def _prove(act: Act, seat: Seat, pounds: int, *, nothing: bool) -> Turn[None]:
    """A seat proves that it has so many pounds; `nothing`: and no more."""
    state, powers = act.state, powers_of(act.state, seat)
    base = sum(state.money[power] for power in powers) - pounds
    # The sum has room for two purses: those of two powers, or the one of a single power and no other.
    before, amount = (*(state.purses[power] for power in powers), ())[:2]
    yield from proved(act, Sum(powers[0], base, before, amount), nothing=nothing)


def _paid(act: Act, seat: Seat, price: int) -> Turn[None]:
    """The winner pays from its own powers as it likes."""
    powers = powers_of(act.state, seat)
    if not price:
        return
    if len(powers) == 1:
        yield from pay(act, powers[0], price)
        return
    first, second = powers
    options = pay_options(act.state, powers, price)
    answer = yield from chosen(act, first, options)
    parts = (answer or options[0]).split()[1:]
    for power, pounds in zip((first, second), map(int, parts), strict=True):
        if pounds:
            yield from pay(act, power, pounds)


def pay_options(state: State, powers: tuple[Power, ...], price: int) -> list[Move]:
    """How two powers can share a price."""
    first, second = powers
    return [
        words("pay", pounds, price - pounds)
        for pounds in range(price + 1)
        if state.secret or (pounds <= state.money[first] and price - pounds <= state.money[second])
    ]


def hand_over(act: Act, seat: Seat) -> Turn[None]:
    """Russia with all it has goes to a seat."""
    old = act.state.runs[RUSSIA]
    if old == seat:
        return
    slots = _hidden(act.state, old)
    act.set(runs=put(act.state.runs, RUSSIA, seat))
    if slots:
        yield Give(slots, seat)
    for secret, lying in enumerate(act.state.secrets):
        if lying.owner == RUSSIA and lying.holder == old and lying.face is None:
            act.secret(secret, holder=seat)
    if old is None:
        yield from mix_tiles(act, RUSSIA)
    for secret, lying in enumerate(act.state.secrets):
        if lying.by == RUSSIA and lying.where == "map":
            yield from show_secret(act, secret, RUSSIA)


def mix_tiles(act: Act, power: Power) -> Turn[None]:
    """Nobody else knows which of a power's tiles are its coloured ones."""
    old = act.state.tiles[power]
    new = tuple(range(MIXED_TILES + 16 * power, MIXED_TILES + 16 * power + len(old)))
    yield Mix(act.state.seat(power), old, new, WRONG_TILE)
    act.set(tiles=put(act.state.tiles, power, new))


def _hidden(state: State, holder: Seat | None) -> tuple[Slot, ...]:
    """The hidden slots of russia, in their order."""
    slots: list[Any] = [
        lying.slot
        for lying in state.secrets
        if lying.owner == RUSSIA and lying.holder == holder and lying.face is None
    ]
    slots += state.tiles[RUSSIA]
    slots += [
        spy.slot
        for spy in state.spies
        if spy.power == RUSSIA and spy.face is None and spy.where not in ("reserve", "lost")
    ]
    slots += [unit.slot for unit in state.police[RUSSIA]]
    slots += state.hands[RUSSIA]
    slots += state.purses[RUSSIA]
    return tuple(sorted(slots))  # in one order: all programs must put the same Ask
