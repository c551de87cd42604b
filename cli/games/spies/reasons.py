"""Why an action of a turn of SPIES! is impossible, where one fact of the map tells it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cli.games.spies.names import city_called
from p2p_stratego.core.view import View
from p2p_stratego.spies.formats import words
from p2p_stratego.spies.rules.atlas import BY_AIR, BY_RAIL, CAPITALS, CITY_NAMED
from p2p_stratego.spies.rules.observation import spy_face
from p2p_stratego.spies.rules.state import SPY_CODED, SpyId, State
from p2p_stratego.spies.rules.underway import now

_GONE: Final = {
    "reserve": "is not on the map yet",
    "captured": "is a prisoner",
    "box": "is a prisoner",
    "killed": "has been killed",
    "lost": "is out of the game",
}
"""By place of a spy off the map, what is so."""


def reason(view: View[State], said: Sequence[str]) -> str:
    """The fact that makes what is said impossible, as half a sentence; "" if it is none of these."""
    state = now(view)
    spy = next((SPY_CODED[word] for word in said if word in SPY_CODED), None)
    if spy is None:
        return ""
    piece, name = state.spies[spy], words.spy(spy, spy_face(state, spy, view.known))
    if piece.power != state.power:
        return f"{name} is a spy of {words.power(piece.power)}" if spy == SPY_CODED.get(said[0]) else ""
    if piece.where != "map":
        return f"{name} {_GONE[piece.where]}"
    return _standing(state, spy, name, said)


def _standing(state: State, spy: SpyId, name: str, said: Sequence[str]) -> str:
    """The same of a spy on the map."""
    piece = state.spies[spy]
    capital, here = CAPITALS[piece.power], words.city(piece.city)
    if "cash".startswith(said[0]):
        if state.carried(spy) is None:
            return f"{name} carries no secret"
        return "" if piece.city == capital else f"secrets are cashed in {words.city(capital)} only"
    goals = [CITY_NAMED[city] for word in said[1:] for city in city_called(word)]
    moves = said[0] in SPY_CODED or "move".startswith(said[0])
    if moves and len(goals) == 1 and not {(piece.city, goals[0])} & (BY_RAIL | BY_AIR):
        return f"no railway or airline leads from {here} to {words.city(goals[0])}"
    if moves and not state.spaces(spy):
        return f"{name} has no spaces left"
    return f"{name} can do nothing in {here}" if len(said) == 1 else ""
