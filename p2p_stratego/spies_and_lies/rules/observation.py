"""Facts in a seat's view of Spies & Lies: its own soldiers, its mate's, today's intel, its honest marks."""

from __future__ import annotations

from typing import TypeAlias

from p2p_stratego.core.game import Commit, Move, Roll
from p2p_stratego.core.view import View
from p2p_stratego.spies_and_lies.rules.chance import deck_left
from p2p_stratego.spies_and_lies.rules.checks import falsely_marked
from p2p_stratego.spies_and_lies.rules.components import MISSIONS, IntelRange, Mission, Rank
from p2p_stratego.spies_and_lies.rules.notation import MARKS
from p2p_stratego.spies_and_lies.rules.state import State, place, slot

Known: TypeAlias = tuple[Rank | None, Rank | None, Rank | None, Rank | None]
"""A side's soldiers of today as far as they are known, [0] under mission 1."""


def own_missions(state: State, seat: int) -> tuple[Mission, ...]:
    """The missions of its side that a seat acts for today: a card that is closed for good is nobody's."""
    side = state.seating.side(seat)
    return tuple(
        mission
        for mission in MISSIONS
        if mission not in state.closed[side] and state.seating.player(side, mission) == seat
    )


def own_line(view: View[State]) -> Known:
    """The soldiers that the seat has laid today: None where it has laid none, or not yet."""
    return _read(view, own_missions(view.state, view.seat))


def seen_line(view: View[State]) -> Known:
    """A mate's soldiers of today while the seat may look at them: until it has laid its own.

    The rules want a player to know them for the order alone, so nothing shows them afterwards.
    """
    state = view.state
    own = own_missions(state, view.seat)
    lays = state.phase == "look" or isinstance(view.decision, Commit)
    if not lays or any(_read(view, own)):
        return (None, None, None, None)
    return _read(view, tuple(mission for mission in MISSIONS if mission not in own))


def laid_line(view: View[State]) -> Known:
    """The soldiers of its side, its own and its mate's, that a seat knows when it is asked to lay others."""
    own, seen = own_line(view), seen_line(view)
    first, second, third, fourth = (mine or mate for mine, mate in zip(own, seen, strict=True))
    return first, second, third, fourth


def _read(view: View[State], missions: tuple[Mission, ...]) -> Known:
    state = view.state
    side = state.seating.side(view.seat)
    first, second, third, fourth = (
        view.known.get(slot(state.day, side, mission)) if mission in missions else None
        for mission in MISSIONS
    )
    return first, second, third, fourth


def asked_missions(commit: Commit) -> tuple[Mission, ...]:
    """The missions under which a seat is asked to lay soldiers."""
    return tuple(place(name)[2] for name in commit.slots)


def todays_intel(view: View[State]) -> IntelRange | None:
    """Today's intel card, also when it has only just been turned up; None before that."""
    turned_up = view.state.intel
    if len(turned_up) > view.state.day:
        return turned_up[view.state.day]
    rolls = [answer for ask, answer in view.since if isinstance(ask, Roll)]
    if view.state.phase != "intel" or not rolls:
        return None
    return deck_left(turned_up)[rolls[0]]


def honest_marks(view: View[State]) -> tuple[Move, ...]:
    """The moves that mark the seat's own soldiers without a false mark: two with a Sergeant there, else one.

    Empty as long as there is no intel card.
    """
    intel = todays_intel(view)
    if intel is None:
        return ()
    own, line = frozenset(own_missions(view.state, view.seat)), own_line(view)
    return tuple(
        move
        for move, missions in MARKS.items()
        if missions <= own and not falsely_marked(line, missions, intel)
    )
