"""Money: open purses are numbers; a secret purse is three hidden digits of nine beside a public number.

A sum that nobody else may see is proved digit by digit, with carries: base + before + sign × amount = after.
As `after` has no sign, the proof shows that the purse was not overdrawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Final

from p2p_stratego.core.game import ClaimOneOf, Commit, Face, Slot, Turn
from p2p_stratego.spies.rules.act import OVERDRAWN, Act, put
from p2p_stratego.spies.rules.atlas import Power
from p2p_stratego.spies.rules.state import State, Sum

BASE: Final = 9
"""So that a digit, another one and three carries make 243 tuples, and a claim may have 250."""
DIGITS: Final = 3
MOST: Final = BASE**DIGITS - 1
"""Pounds of a secret purse, a secret amount or a bid: 728."""
LOW_CARRY: Final = {1: 0, -1: -1}
"""By sign: the least carry; there are three."""


def digits(number: int) -> tuple[int, int, int]:
    """The digits of a number, the lowest first; the last one takes what is over, or below 0."""
    return number % BASE, number // BASE % BASE, number // BASE**2


def pounds(faces: Iterator[Face] | tuple[Face, ...]) -> int:
    """The number that digits make."""
    return sum(face * BASE**place for place, face in enumerate(faces))


def money(state: State, power: Power, known: Mapping[Slot, Face]) -> int:
    """All that a power has, to a seat that can read its purse."""
    return state.money[power] + pounds(tuple(known[slot] for slot in state.purses[power]))


def laid(due: Sum, known: Mapping[Slot, Face]) -> tuple[Face, ...]:
    """The faces laid for a sum: three digits and two carries; for an overdrawn purse some are false."""
    before = [known[slot] for slot in due.before] or [0] * DIGITS
    amount = [due.sign * known[slot] for slot in due.amount] or [0] * DIGITS
    carry, sums, carries = 0, [], []
    for place, constant in enumerate(digits(due.base)):
        total = before[place] + amount[place] + constant + carry
        carry = total // BASE
        sums.append(total % BASE)
        carries.append(carry - LOW_CARRY[due.sign])
    return (*sums, *carries[: DIGITS - 1])


def pay(act: Act, power: Power, cost: int) -> Turn[None]:
    """A power pays pounds that everybody sees.  Raises Stopped if it cannot have them."""
    state = act.state
    if state.secret and state.least[power] < cost:
        yield from settle(act, power, -cost)
        return
    act.gain(power, -cost)


def settle(act: Act, power: Power, change: int, amount: tuple[Slot, ...] = (), sign: int = -1) -> Turn[None]:
    """A power's purse changes by what all see and by a secret amount.  Raises Stopped."""
    state = act.state
    due = Sum(power, state.money[power] + change, state.purses[power], amount, sign)
    after = yield from proved(act, due)
    state = act.state
    act.set(
        purses=put(state.purses, power, after),
        money=put(state.money, power, 0),
        least=put(state.least, power, 0),
    )


def proved(act: Act, due: Sum, *, nothing: bool = False) -> Turn[tuple[Slot, ...]]:
    """The slots of a sum ≥ 0, proved by the player of its power; `nothing`: the sum is 0.

    Raises Stopped if the player cannot prove it.
    """
    first = act.state.next_purse
    due = due._replace(
        after=tuple(range(first, first + DIGITS)),
        carries=tuple(range(first + DIGITS, first + 2 * DIGITS - 1)),
    )
    act.set(next_purse=due.carries[-1] + 1, settling=due)
    seat = act.state.seat(due.power)
    yield Commit(seat, due.after + due.carries, frozenset(range(BASE)))
    for place in range(DIGITS):
        slots, tuples = _claim(due, place, nothing=nothing)
        if not tuples:  # no faces make the sum true: the public part alone breaks it
            raise act.breached(due.power, OVERDRAWN)
        yield ClaimOneOf(seat, OVERDRAWN, slots, tuples)
    act.set(settling=None)
    return due.after


def _claim(due: Sum, place: int, *, nothing: bool) -> tuple[tuple[Slot, ...], tuple[tuple[Face, ...], ...]]:
    """The slots that one digit is worked out of, and what they can be together."""
    least, last = LOW_CARRY[due.sign], place == DIGITS - 1
    constant = digits(due.base)[place]
    befores = range(BASE) if due.before else (0,)
    amounts = range(BASE) if due.amount else (0,)
    carried = range(least, least + 3) if place else (0,)
    tuples = []
    for before, amount, carry in product(befores, amounts, carried):
        total = before + due.sign * amount + constant + carry
        out, digit = divmod(total, BASE)
        fits = out == 0 if last else least <= out < least + 3
        if fits and (digit == 0 or not nothing):
            tuples.append(
                (
                    *((before,) if due.before else ()),
                    *((amount,) if due.amount else ()),
                    *((carry - least,) if place else ()),
                    digit,
                    *(() if last else (out - least,)),
                )
            )
    slots = (
        *due.before[place : place + 1],
        *due.amount[place : place + 1],
        *((due.carries[place - 1],) if place else ()),
        due.after[place],
        *(() if last else (due.carries[place],)),
    )
    return slots, tuple(tuples)
