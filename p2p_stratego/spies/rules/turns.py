"""Turns and years: whose step is next, when russia changes hands, and when the game ends."""

from __future__ import annotations

from p2p_stratego.core.game import Turn
from p2p_stratego.spies.rules.act import Act
from p2p_stratego.spies.rules.atlas import BRITAIN, GERMANY, RUSSIA, Power
from p2p_stratego.spies.rules.bidding import bidding, hand_over
from p2p_stratego.spies.rules.counters import ACTION_POINTS, FIRST_YEAR, LAST_YEAR
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
        if power == BRITAIN:
            yield from _year_over(act)
        power = (power + 1) % len(state.runs)
        _fresh(act, power)


def finish(act: Act) -> Turn[None]:
    """The turn is over.  Raises Stopped at the end of the game."""
    power = act.state.power
    if power == BRITAIN:
        yield from _year_over(act)
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
        talks=None,
        proposals=0,
        handled=0,
    )


def _year_over(act: Act) -> Turn[None]:
    """The next year begins; russia goes to the other of two players.  Raises Stopped after the last one."""
    state = act.state
    if state.year == LAST_YEAR or state.crisis:
        yield from end(act)
    act.set(year=state.year + 1)
    if (state.seats, state.allocation) == (2, "standard"):
        act.set(power=GERMANY)
        yield from hand_over(act, (act.state.year - FIRST_YEAR) % 2)
