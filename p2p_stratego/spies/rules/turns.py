"""Turns and years: whose step is next, when russia changes hands, and when the game ends."""

from __future__ import annotations

from p2p_stratego.core.game import Choose, Together, Turn
from p2p_stratego.spies.rules.act import Act
from p2p_stratego.spies.rules.atlas import BRITAIN, GERMANY, RUSSIA, Power
from p2p_stratego.spies.rules.bids import bidding, hand_over
from p2p_stratego.spies.rules.counters import ACTION_POINTS, FIRST_YEAR, LAST_YEAR
from p2p_stratego.spies.rules.notation import READY
from p2p_stratego.spies.rules.points import end
from p2p_stratego.spies.rules.state import TILE_STAGE


def begin(act: Act, power: Power) -> Turn[None]:
    """The turn of `power` begins, or of the next one whose player is there.  Raises Stopped at the end."""
    _fresh(act, power)
    while True:
        state = act.state
        if power == RUSSIA and _bids(act) and state.phase != "bid":
            act.set(phase="bid")
            return
        if not state.idle(power):
            act.set(phase="turn" if state.bound(power) else "tile")
            return
        if power == BRITAIN and (yield from _new_year(act)):
            return
        power = (power + 1) % len(state.runs)
        _fresh(act, power)


def finish(act: Act) -> Turn[None]:
    """The turn is over.  Raises Stopped at the end of the game."""
    power = act.state.power
    if power == BRITAIN and (yield from _new_year(act)):
        return
    yield from begin(act, (power + 1) % len(act.state.runs))


def bid(act: Act) -> Turn[None]:
    """All bid for russia, whose turn follows; in 1933 its secrets are laid first.  Raises Stopped."""
    yield from bidding(act)
    if act.state.secrets[0].origin < 0 or any(lying.origin < 0 for lying in act.state.secrets):
        act.set(phase="secrets")
        return
    act.set(phase="turn" if act.state.bound(RUSSIA) else "tile")


def _bids(act: Act) -> bool:
    """Whether russia is bid for now: not once the player who ran it has left for good."""
    state = act.state
    return state.allocation == "bid" and state.year > FIRST_YEAR and not state.idle(RUSSIA)


def _fresh(act: Act, power: Power) -> None:
    act.set(
        phase="tile",
        power=power,
        ap=ACTION_POINTS,
        stage=TILE_STAGE,
        searched=(),
        mover=-1,
        spent=0,
        finished=(),
        talks=(),
        proposals=0,
        handled=0,
    )


def talk(act: Act) -> Turn[None]:
    """All talk until each player is ready; then spies are laid, or the year begins.

    The players' clocks limit the talk; the rules have no limit.  Raises Stopped.
    """
    state = act.state
    yield Together(tuple(Choose(seat, (READY,)) for seat in range(state.seats) if seat not in state.gone))
    act.tell("talked")
    if any(piece.where == "reserve" for piece in state.spies):
        act.set(phase="spies", power=GERMANY)
    else:
        yield from begin(act, GERMANY)


def _new_year(act: Act) -> Turn[bool]:
    """The next year begins; whether with talk.

    Russia goes to the other of two players.  Raises Stopped after the last year.
    """
    state = act.state
    if state.year == LAST_YEAR or state.crisis:
        yield from end(act)
    act.set(year=state.year + 1)
    if (state.seats, state.allocation) == (2, "standard"):
        act.set(power=GERMANY)
        yield from hand_over(act, (act.state.year - FIRST_YEAR) % 2)
    _fresh(act, GERMANY)
    if act.state.talk:
        act.set(phase="talk")
    return act.state.talk > 0
