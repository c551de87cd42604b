"""Sanction: one spy kills another, or is killed."""

from __future__ import annotations

from collections.abc import Iterator

from p2p_stratego.core.game import Claim, Face, Turn
from p2p_stratego.spies.rules.act import Act, chosen, open_spy, show_secret
from p2p_stratego.spies.rules.answers import asked, play
from p2p_stratego.spies.rules.atlas import HAVENS
from p2p_stratego.spies.rules.counters import (
    COUSIN,
    COVER,
    DOUBLE_CROSS,
    ESCAPE,
    SANCTION,
    SPY_FACES,
)
from p2p_stratego.spies.rules.discovery import from_friend
from p2p_stratego.spies.rules.faults import FALSE_COUSIN
from p2p_stratego.spies.rules.notation import IS_COUSIN, NO_ANSWER, NO_COUSIN, SEIZE
from p2p_stratego.spies.rules.search import escaped, killed
from p2p_stratego.spies.rules.state import SpyId, State


def victims(state: State, spy: SpyId) -> Iterator[SpyId]:
    """The spies that a spy may sanction."""
    piece = state.spies[spy]
    if piece.city in HAVENS:
        return
    for other in state.spies_in(piece.city):
        if not state.same_seat(state.spies[other].power, piece.power):
            yield other


def sanction(act: Act, slot: int, spy: SpyId, victim: SpyId) -> Turn[None]:
    """A Sanction with all that follows.  Raises Stopped."""
    power, other = act.state.spies[spy].power, act.state.spies[victim].power
    yield from play(act, power, SANCTION, slot)
    act.tell("sanctions", power, spy=spy, other=victim)
    cousin = yield from _says_cousin(act, victim)
    if cousin and not (yield from _says_cousin(act, spy)):
        yield from killed(act, spy, other)
        return
    answer = yield from asked(act, other, power, (COVER, ESCAPE, DOUBLE_CROSS))
    if answer is None or not answer.stands:
        yield from _kill(act, spy, victim)
    elif answer.kind == ESCAPE:
        escaped(act, victim, answer.parts[0])
    elif answer.kind == COVER:
        act.tell("sanction fails", power, spy=spy)
    else:
        yield from _turned(act, spy, victim, victim_is_cousin=cousin)


def _says_cousin(act: Act, spy: SpyId) -> Turn[bool]:
    """Whether a spy is the cousin: its owner says so, and it is opened; or it proves that it is none."""
    power = act.state.spies[spy].power
    said = yield from chosen(act, power, (IS_COUSIN, NO_COUSIN))
    piece = act.state.spies[spy]
    if said == NO_COUSIN and piece.face is None:
        not_it = frozenset(SPY_FACES) - {COUSIN}
        yield Claim(act.state.seat(power), FALSE_COUSIN, (piece.slot,), not_it)
        return False
    face: Face = yield from open_spy(act, spy)
    if said is not None and (said == IS_COUSIN) != (face == COUSIN):
        raise act.breached(power, FALSE_COUSIN)
    if face == COUSIN:
        act.tell("is the cousin", power, spy=spy)
    return face == COUSIN


def _turned(act: Act, spy: SpyId, victim: SpyId, *, victim_is_cousin: bool) -> Turn[None]:
    """A Double Cross turns the Sanction on the assassin, unless it is a cousin and the victim is none."""
    face = yield from open_spy(act, spy)
    if face == COUSIN and not victim_is_cousin:
        act.tell("is the cousin", act.state.spies[spy].power, spy=spy)
        return
    yield from killed(act, spy, act.state.spies[victim].power)


def _kill(act: Act, spy: SpyId, victim: SpyId) -> Turn[None]:
    """The victim is killed, and the assassin may take what it controlled.

    Not what russia fetched while the assassin's player ran it: no secret goes from one to the other.
    """
    power = act.state.spies[spy].power
    secret = act.state.carried(victim)
    before = None if secret is None else act.state.secrets[secret]
    yield from killed(act, victim, power)
    if secret is None or before is None or act.state.carried(spy) is not None:
        return
    if from_friend(act.state, power, before):
        return
    said = yield from chosen(act, power, (SEIZE, NO_ANSWER))
    if said == SEIZE:
        act.secret(secret, lost=before.lost, away=before.away)
        act.control(secret, power, spy)
        act.tell("controls", power, spy=spy, secret=secret)
        yield from show_secret(act, secret, power)
