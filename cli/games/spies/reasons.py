"""Why an action of a turn of SPIES! is impossible, where one fact of the map tells it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cli.games.spies.cities import as_spoken, cities_called
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.view import View
from p2p_stratego.spies.formats import words
from p2p_stratego.spies.rules.actions import PROPOSE, TALK, enemies
from p2p_stratego.spies.rules.atlas import BY_AIR, BY_RAIL, CAPITALS, CITY_NAMED, POWERS
from p2p_stratego.spies.rules.observation import spy_face
from p2p_stratego.spies.rules.state import SEARCH_STAGE, SPY_CODED, SpyId, State
from p2p_stratego.spies.rules.trade import MOST_PROPOSALS, may_talk
from p2p_stratego.spies.rules.underway import now

_GONE: Final = {
    "reserve": mark("is not on the map yet"),
    "captured": mark("is a prisoner"),
    "box": mark("is a prisoner"),
    "killed": mark("has been killed"),
    "lost": mark("is out of the game"),
}
"""By place of a spy off the map, what is so."""


def reason(view: View[State], said: Sequence[str]) -> str:
    """The fact that makes what is said impossible, as half a sentence; "" if it is none of these."""
    state = now(view)
    if said and said[0] in (TALK, PROPOSE):
        return _talking(state, said)
    if said and "search".startswith(said[0]):
        return _searching(state, [city for word in said[1:] for city in cities_called(word)])
    spy = next((SPY_CODED[word] for word in said if word in SPY_CODED), None)
    if spy is None:
        return ""
    piece, name = state.spies[spy], words.spy(spy, spy_face(state, spy, view.known))
    if piece.power != state.power:
        return (
            _("{name} is a spy of {power}", name=name, power=words.power(piece.power))
            if spy == SPY_CODED.get(said[0])
            else ""
        )
    if piece.where != "map":
        return f"{name} {_(_GONE[piece.where])}"
    return _standing(state, spy, name, said)


def _talking(state: State, said: Sequence[str]) -> str:
    """The same of talks with a power, and of a proposal to it."""
    named = [name for name in POWERS if name.startswith(said[1])] if len(said) > 1 else []
    if len(named) != 1:
        return ""
    mover, other = state.power, POWERS.index(named[0])
    power = words.power(other)
    if other == mover:
        return _("it is the turn of {power}", power=power)
    if state.same_seat(mover, other):
        return _("{power} is yours, too, and two powers of one player do not trade", power=power)
    if state.idle(other):
        return _("the player of {power} has left", power=power)
    if not may_talk(state, mover, other):
        return _("since its pact Russia talks and trades no more")
    if other not in state.talks:
        return (
            _(
                "talks with {power} are not open: `diplomacy {name}` opens them",
                power=power,
                name=as_spoken(named[0]),
            )
            if state.ap
            else _("you have no action point left to open talks")
        )
    if said[0] == TALK:
        return _("talks with {power} are open already", power=power)
    if state.proposals >= MOST_PROPOSALS:
        return _("{count} proposals are as many as a turn has", count=MOST_PROPOSALS)
    return _("neither {power} nor you has anything to give", power=power)


def _searching(state: State, called: Sequence[str]) -> str:
    """The same of a search."""
    if len(called) != 1:
        return ""
    city = CITY_NAMED[called[0]]
    told = words.city(city)
    if not state.police_in(state.power, city):
        return _("you have no police in {city}", city=told)
    if city in state.searched:
        return _("{city} has been searched in this turn", city=told)
    if not enemies(state, state.power, city):
        return _("no spy of another player is in {city}", city=told)
    if state.stage > SEARCH_STAGE:
        return _("searches come before what spies do")
    return ""


def _standing(state: State, spy: SpyId, name: str, said: Sequence[str]) -> str:
    """The same of a spy on the map."""
    piece = state.spies[spy]
    capital, here = CAPITALS[piece.power], words.city(piece.city)
    if "cash".startswith(said[0]):
        if state.carried(spy) is None:
            return _("{name} carries no secret", name=name)
        return (
            "" if piece.city == capital else _("secrets are cashed in {city} only", city=words.city(capital))
        )
    goals = [CITY_NAMED[city] for word in said[1:] for city in cities_called(word)]
    moves = said[0] in SPY_CODED or "move".startswith(said[0])
    if moves and len(goals) == 1 and not {(piece.city, goals[0])} & (BY_RAIL | BY_AIR):
        return _("no railway or airline leads from {here} to {city}", here=here, city=words.city(goals[0]))
    if moves and not state.spaces(spy):
        return _("{name} has no spaces left", name=name)
    return _("{name} can do nothing in {here}", name=name, here=here) if len(said) == 1 else ""
