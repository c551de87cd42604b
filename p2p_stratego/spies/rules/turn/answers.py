"""Chits that are played: opened, paid, put back; the answers to them, and what stands in the end."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from p2p_stratego.core.game import Face, Move, Open, Slot, Turn
from p2p_stratego.spies.rules.act import WRONG_CHIT, Act, chosen
from p2p_stratego.spies.rules.atlas import HAVENS, NAMES, Power
from p2p_stratego.spies.rules.counters import DOUBLE_CROSS, ESCAPE, INTERCEPT, KINDS, Chit
from p2p_stratego.spies.rules.cup import into_cup, take_out
from p2p_stratego.spies.rules.notation import NO_ANSWER, chit
from p2p_stratego.spies.rules.purse import pay
from p2p_stratego.spies.rules.state import State


class Answer(NamedTuple):
    """A chit played in answer."""

    kind: Chit
    parts: tuple[str, ...]
    """The words of its player about it: a haven, a piece."""
    stands: bool
    """An even number of chits lies on it."""


def affordable(state: State, power: Power, kind: Chit) -> bool:
    """Whether a power can pay for a chit, by what everybody can see."""
    cost = KINDS[kind]
    if power == state.power and state.ap < cost.points:
        return False
    return bool(state.hands[power]) and (state.secret or state.money[power] >= cost.pounds)


def may_answer(state: State, power: Power) -> bool:
    """Whether a power may answer at all."""
    return bool(state.hands[power]) and not state.idle(power) and not state.bound(power)


def play(act: Act, power: Power, kind: Chit, slot: Slot) -> Turn[None]:
    """A chit is opened, paid, and goes back into the cup.  Raises Stopped."""
    face: Face | None = yield Open(slot)
    if face != kind:
        raise act.breached(power, WRONG_CHIT)
    yield from pay(act, power, KINDS[kind].pounds)
    act.points(power, KINDS[kind].points)
    take_out(act, power, slot)
    yield from into_cup(act, (slot,))
    act.tell("plays", power, face=kind)


def options(state: State, power: Power, kinds: Collection[Chit], pieces: Collection[str]) -> list[Move]:
    """A pass, and every chit that `power` could play; `pieces`: the pieces that an Intercept can name."""
    moves = [NO_ANSWER]
    for kind in kinds:
        if not affordable(state, power, kind):
            continue
        parts: Collection[str] = ("",)
        if kind == ESCAPE:
            parts = [NAMES[haven] for haven in HAVENS]
        elif kind == INTERCEPT:
            parts = pieces
        moves += [chit(kind, slot, *part.split()) for slot in state.hands[power] for part in parts]
    return moves


def asked(
    act: Act, power: Power, against: Power | None, kinds: Collection[Chit], pieces: Collection[str] = ()
) -> Turn[Answer | None]:
    """A power is asked for an answer, and the other of the two for one to that, until one passes.

    None if it passes, or cannot answer.  Raises Stopped.
    """
    first = yield from _played(act, power, kinds, pieces)
    if first is None:
        return None
    kind, parts = first
    on_it, turn, other = 0, against, power
    while turn is not None and (yield from _played(act, turn, (DOUBLE_CROSS,))):
        on_it += 1
        turn, other = other, turn
    return Answer(kind, parts, on_it % 2 == 0)


def _played(
    act: Act, power: Power, kinds: Collection[Chit], pieces: Collection[str] = ()
) -> Turn[tuple[Chit, tuple[str, ...]] | None]:
    if not may_answer(act.state, power):
        return None
    offered = options(act.state, power, kinds, pieces)
    if len(offered) == 1:
        return None
    answer = yield from chosen(act, power, offered)
    if answer is None or answer == NO_ANSWER:
        return None
    name, slot, *parts = answer.split()
    kind = next(candidate for candidate in kinds if KINDS[candidate].name == name)
    yield from play(act, power, kind, int(slot))
    return kind, tuple(parts)
