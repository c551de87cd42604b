"""The actions of a turn: which ones a power may choose now, and how each is carried out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from p2p_stratego.core.game import Move, Turn
from p2p_stratego.spies.rules import control, discovery, moving, sanction, trade, tricks
from p2p_stratego.spies.rules.act import Act, chosen
from p2p_stratego.spies.rules.answers import affordable
from p2p_stratego.spies.rules.atlas import CITY_NAMED, HAVENS, NAMES, POWERS, SEA_NAMES, City, Power
from p2p_stratego.spies.rules.counters import DISCOVERY, DROP, ESCAPE, KINDS, RECRUIT, SANCTION, Chit
from p2p_stratego.spies.rules.notation import END, POLICE_ANEW, SEARCH, chit, words
from p2p_stratego.spies.rules.police import police_anew
from p2p_stratego.spies.rules.search import search
from p2p_stratego.spies.rules.state import (
    POLICE_STAGE,
    SEARCH_STAGE,
    SPY_CODED,
    SPY_STAGE,
    SpyId,
    State,
    secret_name,
    spy_code,
)
from p2p_stratego.spies.rules.turns import finish

PROPOSE: Final = "propose"
TALK: Final = "diplomacy"


def actions(state: State) -> list[Move]:
    """All that the power to move may do now, by what everybody can see."""
    power = state.power
    found = [words(SEARCH, NAMES[city]) for city in searchable(state, power)]
    if not state.bound(power):
        if state.stage < POLICE_STAGE:
            found.append(POLICE_ANEW)
        found += _moves(state, power)
        found += _chits(state, power)
        found += _talks(state, power)
    return [*found, END]


def searchable(state: State, power: Power) -> list[City]:
    """The cities where a power may search now."""
    if state.ap < 1 or state.stage > SEARCH_STAGE:
        return []
    cities = sorted({unit.city for unit in state.police[power]} - set(state.searched))
    return [city for city in cities if enemies(state, power, city)]


def enemies(state: State, power: Power, city: City) -> list[SpyId]:
    """The spies in a city that a power may search: those of other seats."""
    return [spy for spy in state.spies_in(city) if not state.same_seat(state.spies[spy].power, power)]


def _moves(state: State, power: Power) -> Iterator[Move]:
    for spy, _ in state.own(power):
        code = spy_code(spy)
        yield from (words("move", code, NAMES[city]) for city in moving.neighbours(state, spy))
        yield from (words("sail", code, SEA_NAMES[sea]) for sea in moving.seas(state, spy))
        for secret in control.takeable(state, spy):
            yield words("take", code, secret_name(state, secret))
        if control.can_give(state, spy):
            yield words("give", code)
        if control.can_leave(state, spy):
            yield words("leave", code)
        if control.can_cash(state, spy):
            yield words("cash", code)


def _chits(state: State, power: Power) -> Iterator[Move]:
    for kind, targets in _TARGETS.items():
        if affordable(state, power, kind):
            parts = list(targets(state, power))
            yield from (chit(kind, slot, *part) for slot in state.hands[power] for part in parts)


def _talks(state: State, power: Power) -> Iterator[Move]:
    for other in range(len(POWERS)):
        if not trade.may_talk(state, power, other):
            continue
        if other not in state.talks:
            if state.ap:
                yield words(TALK, POWERS[other])
        elif state.proposals < trade.MOST_PROPOSALS and len(trade.Proposals(state, power, other)):
            yield words(PROPOSE, POWERS[other])


def _discoveries(state: State, power: Power) -> Iterator[tuple[str, ...]]:
    for spy, _ in state.own(power):
        for secret in discovery.targets(state, spy):
            yield spy_code(spy), secret_name(state, secret)


def _sanctions(state: State, power: Power) -> Iterator[tuple[str, ...]]:
    for spy, _ in state.own(power):
        yield from ((spy_code(spy), spy_code(victim)) for victim in sanction.victims(state, spy))


def _drops(state: State, power: Power) -> Iterator[tuple[str, ...]]:
    yield from ((spy_code(spy),) for spy, _ in state.own(power) if tricks.can_drop(state, spy))


def _escapes(state: State, power: Power) -> Iterator[tuple[str, ...]]:
    for spy in tricks.prisoners(state, power):
        yield from ((spy_code(spy), NAMES[haven]) for haven in HAVENS)


def _recruits(state: State, power: Power) -> Iterator[tuple[str, ...]]:
    for spy in tricks.fallen(state, power):
        yield from ((spy_code(spy), NAMES[city]) for city in tricks.homes(state, power))


_TARGETS: Final[dict[Chit, Callable[[State, Power], Iterator[tuple[str, ...]]]]] = {
    DISCOVERY: _discoveries,
    SANCTION: _sanctions,
    DROP: _drops,
    ESCAPE: _escapes,
    RECRUIT: _recruits,
}
"""By chit that is played in one's own turn: what can be said behind its slot."""


def action(act: Act) -> Turn[None]:
    """One action of the power to move.  Raises Stopped."""
    power = act.state.power
    said = yield from chosen(act, power, actions(act.state))
    if said is None or said == END:
        yield from finish(act)
        return
    word, *parts = said.split()
    if word == PROPOSE:
        yield from trade.trade(act, power, POWERS.index(parts[0]))
        return
    if word == TALK:
        other = POWERS.index(parts[0])
        act.points(power, 1)
        act.set(talks=(*act.state.talks, other))
        act.tell("diplomacy", power, other=other)
        return
    act.set(talks=())
    if word == POLICE_ANEW:
        yield from police_anew(act, power)
    elif word == SEARCH:
        yield from _search(act, power, CITY_NAMED[parts[0]])
    else:
        act.set(stage=SPY_STAGE)
        yield from _spies(act, word, parts)


def _search(act: Act, power: Power, city: City) -> Turn[None]:
    """The spies in a city one by one, as the searcher names them, until it has enough."""
    act.points(power, 1)
    act.set(stage=SEARCH_STAGE, searched=(*act.state.searched, city))
    done: set[SpyId] = set()
    while left := [spy for spy in enemies(act.state, power, city) if spy not in done]:
        options = [spy_code(spy) for spy in left] + ([END] if done else [])
        said = yield from chosen(act, power, options)
        if said is None or said == END:
            return
        done.add(SPY_CODED[said])
        yield from search(act, power, SPY_CODED[said])


def _spies(act: Act, word: str, parts: list[str]) -> Turn[None]:
    """The step of a spy."""
    if word in _PLAYS:
        slot, *named = parts
        yield from _PLAYS[word](act, int(slot), SPY_CODED[named[0]], *named[1:])
        return
    spy = SPY_CODED[parts[0]]
    if word == "move":
        yield from moving.move(act, spy, CITY_NAMED[parts[1]])
    elif word == "sail":
        yield from moving.sail(act, spy, SEA_NAMES.index(parts[1]))
    elif word == "cash":
        yield from control.cash(act, spy)
    elif word == "take":
        secret = act.state.named(CITY_NAMED[parts[1]])
        if secret is not None:
            control.take(act, spy, secret)
    elif word == "give":
        control.give(act, spy)
    else:
        control.leave(act, spy)


def _discover(act: Act, slot: int, spy: SpyId, city: str) -> Turn[None]:
    secret = act.state.named(CITY_NAMED[city])
    if secret is not None:
        yield from discovery.discovery(act, slot, spy, secret)


def _sanction(act: Act, slot: int, spy: SpyId, victim: str) -> Turn[None]:
    yield from sanction.sanction(act, slot, spy, SPY_CODED[victim])


_PLAYS: Final[dict[str, Callable[..., Turn[None]]]] = {
    KINDS[DISCOVERY].name: _discover,
    KINDS[SANCTION].name: _sanction,
    KINDS[DROP].name: tricks.drop,
    KINDS[ESCAPE].name: tricks.escape,
    KINDS[RECRUIT].name: tricks.recruit,
}
