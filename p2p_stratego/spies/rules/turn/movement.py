"""Spies on the move: by link and by sea, with their secrets, and the searches on their arrival."""

from __future__ import annotations

from collections.abc import Iterator

from p2p_stratego.core.game import Move, Roll, Turn
from p2p_stratego.spies.rules.act import Act, chosen
from p2p_stratego.spies.rules.atlas import LINKS, NAMES, PORTS, SEA_NAMES, SEAS_AT, City, Sea, voyage
from p2p_stratego.spies.rules.map_data import DIE
from p2p_stratego.spies.rules.notation import AGAIN, NO_ANSWER, SEARCH, STAY, words
from p2p_stratego.spies.rules.state import SpyId, State
from p2p_stratego.spies.rules.turn.search import search

TO_LAND = 1
"""Points and spaces that must be left to land with."""


def neighbours(state: State, spy: SpyId) -> tuple[City, ...]:
    """Where a spy may go by one link."""
    if state.ap < 1 or state.spaces(spy) < 1:
        return ()
    return LINKS[state.spies[spy].city]


def seas(state: State, spy: SpyId) -> tuple[Sea, ...]:
    """The seas to which a spy may put out."""
    if not can_roll(state, spy):
        return ()
    return SEAS_AT[state.spies[spy].city]


def can_roll(state: State, spy: SpyId) -> bool:
    """Whether a spy may put out or roll again: it may while it can still land."""
    return state.ap >= 1 + TO_LAND and state.spaces(spy) >= 1 + TO_LAND


def landings(state: State, spy: SpyId, sea: Sea, rolled: int) -> Iterator[tuple[City, int]]:
    """The ports that a spy at sea may reach, with the points and spaces that it takes."""
    left = min(state.ap, state.spaces(spy), rolled - 1)
    for port in sorted({port for ports in PORTS for port in ports} - {state.spies[spy].city}):
        length = voyage(sea, port)
        if length is not None and length - 1 <= left:
            yield port, length - 1


def move(act: Act, spy: SpyId, city: City) -> Turn[None]:
    """A spy goes to a neighbour.  Raises Stopped."""
    _spend(act, spy, 1)
    yield from _arrive(act, spy, city)


def sail(act: Act, spy: SpyId, sea: Sea) -> Turn[None]:
    """A spy puts out to sea, rolls, and lands or stays.  Raises Stopped."""
    power, rolls = act.state.spies[spy].power, []
    while True:
        _spend(act, spy, 1)
        rolled: int = yield Roll(len(DIE))
        rolls.append(DIE[rolled])
        reach = dict(landings(act.state, spy, sea, rolls[-1]))
        offered: list[Move] = [words("land", NAMES[port]) for port in reach]
        answer = yield from chosen(
            act, power, [*offered, *([AGAIN] if can_roll(act.state, spy) else []), STAY]
        )
        if answer != AGAIN:
            break
    act.tell("sails", power, spy=spy, word=SEA_NAMES[sea], numbers=tuple(rolls))
    if answer is None or answer == STAY:
        act.tell("stays", power, spy=spy)
        return
    port = NAMES.index(answer.split()[1])
    _spend(act, spy, reach[port])
    yield from _arrive(act, spy, port)


def _spend(act: Act, spy: SpyId, spaces: int) -> None:
    """A spy uses points and spaces; the spy that moved before it has finished."""
    state = act.state
    if spy != state.mover:
        done = state.finished if state.mover < 0 else (*state.finished, state.mover)
        act.set(mover=spy, spent=0, finished=done)
    act.set(ap=act.state.ap - spaces, spent=act.state.spent + spaces)


def _arrive(act: Act, spy: SpyId, city: City) -> Turn[None]:
    """A spy comes to a city with what it carries; police there may search it."""
    power, secret = act.state.spies[spy].power, act.state.carried(spy)
    if secret is not None:
        lying = act.state.secrets[secret]
        if lying.owner == power and not lying.away:
            act.release(secret)
        else:
            act.carry(secret, city)
    act.spy(spy, city=city)
    act.tell("moves", power, spy=spy, city=city)
    there = act.state.police_of(city)
    if there is None or act.state.same_seat(there, power) or act.state.idle(there):
        return
    answer = yield from chosen(act, there, (SEARCH, NO_ANSWER))
    if answer == SEARCH:
        yield from search(act, there, spy)
