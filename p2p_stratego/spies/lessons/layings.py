"""Ready answers to the questions of the set-up of SPIES!, for a player who wants to begin.

They come from one seat's view and from chance alone: nobody can work out from the program where secrets lie.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from p2p_stratego.core.game import Ask, Choose, Commit, Face, Mix, Move
from p2p_stratego.core.view import Chance, View
from p2p_stratego.spies.bots.agent import Agent
from p2p_stratego.spies.bots.hides import shelter
from p2p_stratego.spies.rules.atlas import CITY_NAMED
from p2p_stratego.spies.rules.counters import COUNTERSPIES, value
from p2p_stratego.spies.rules.game import GAME
from p2p_stratego.spies.rules.notation import READY
from p2p_stratego.spies.rules.observation import secret_face
from p2p_stratego.spies.rules.state import State
from p2p_stratego.spies.rules.underway import now

_NOISE: Final = 1.2
"""How far chance moves a secret from where it is safest, of the whole order of cities."""


def proposed(view: View[State], chance: Chance) -> tuple[Move | tuple[Face, ...], ...]:
    """The answers to the open question and to those of this seat that follow from it in its step.

    None but the first outside the set-up.
    """
    asked = view.asked
    if now(view).phase == "talk":
        return (READY,)
    if isinstance(asked, Choose) and now(view).phase == "secrets":
        return tuple(_secrets(view, asked, chance))
    agent = Agent(chance)
    if now(view).phase in ("tile", "bid") or (
        isinstance(asked, Choose) and now(view).phase in ("police", "turn")
    ):
        return (agent.decide(view),)
    return tuple(_followed(view, agent))


def _secrets(view: View[State], asked: Choose, chance: Chance) -> Iterator[Move]:
    """A city for each secret that is left: by worth and by shelter, with much chance in it."""
    state = now(view)
    left = [
        secret
        for secret, lying in enumerate(state.secrets)
        if (lying.owner, lying.where) == (state.power, "reserve")
    ]
    ranks = {secret: _rank(secret_face(state, secret, view.known)) for secret in left}
    cities = sorted(asked.options, key=lambda move: shelter(CITY_NAMED[move.split()[1]], state.power))
    spread = _NOISE * len(cities)
    places = {move: place + spread * (chance.random() - 0.5) for place, move in enumerate(cities)}
    kept = sorted(cities, key=lambda move: places[move])[len(cities) - len(left) :]
    by_rank = sorted(left, key=lambda secret: ranks[secret] + 0.01 * chance.random())
    given = dict(zip(by_rank, kept, strict=True))
    return (given[secret] for secret in left)


def _rank(face: Face | None) -> int:
    """What is worth most is hidden best; a counterspy should be met."""
    return 0 if face is None else -value(face) if face in COUNTERSPIES else value(face)


def _followed(view: View[State], agent: Agent) -> Iterator[Move | tuple[Face, ...]]:
    """The agent's answers, as long as the step asks this seat."""
    turn = GAME.turn(view.state)
    ask: Ask = next(turn)
    for _settled, answer in view.since:
        ask = turn.send(answer)
    since, known = view.since, dict(view.known)
    while isinstance(ask, Choose | Commit | Mix) and ask.seat == view.seat:
        due = ask.decision(known) if isinstance(ask, Mix) else ask
        decided = agent.decide(replace(view, since=since, known=known, decision=due))
        yield decided
        answer = decided if isinstance(ask, Choose) else None
        if isinstance(due, Commit) and not isinstance(decided, str):
            known |= dict(zip(due.slots, decided, strict=True))
        since = (*since, (ask, answer))
        try:
            ask = turn.send(answer)
        except StopIteration:
            return
