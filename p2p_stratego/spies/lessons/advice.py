"""The coach in games of SPIES!: what matters now, in a sentence each, with its reason.

It reads one seat's view and nothing else, and decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Final

from p2p_stratego.core.game import Choose, Move
from p2p_stratego.core.language import _, n_
from p2p_stratego.core.lesson import Remark
from p2p_stratego.core.sampling import percent
from p2p_stratego.core.view import View
from p2p_stratego.spies.bots.beliefs import Beliefs
from p2p_stratego.spies.bots.hides import shelter
from p2p_stratego.spies.bots.ways import FAR, cost
from p2p_stratego.spies.formats.words import city, content, pounds, secret, spy, tile
from p2p_stratego.spies.rules.atlas import CAPITALS, CITY_NAMED, POWERS, Power
from p2p_stratego.spies.rules.counters import (
    A_TILE,
    ABROAD,
    CASH,
    CHIT_NAMES,
    COUNTERSPIES,
    DISCOVERY,
    GENUINE,
    LAST_YEAR,
    MEANS,
    REWARD,
    value,
)
from p2p_stratego.spies.rules.notation import (
    CAPTURED,
    END,
    FREE,
    IS_COUNTERSPY,
    IS_COUSIN,
    NO_ANSWER,
    SEARCH,
    SURVIVES,
)
from p2p_stratego.spies.rules.observation import strength_in
from p2p_stratego.spies.rules.points import multiple
from p2p_stratego.spies.rules.state import NOWHERE, SPY_CODED, Event, SecretId, SpyId, State
from p2p_stratego.spies.rules.tiles import TILES, TileId, is_coloured
from p2p_stratego.spies.rules.underway import now

_SURE: Final = 0.5
"""A search that succeeds less often is not spoken of."""
_FACTS: Final = (CAPTURED, FREE, IS_COUNTERSPY, IS_COUSIN, SURVIVES)
"""Answers of which one is true."""


def advise(view: View[State]) -> Iterator[Remark]:
    """The remarks for the seat of `view`, the weightiest first; none while it has no decision to make."""
    decision = view.decision
    if decision is None or view.state.ended is not None:
        return
    state = now(view)
    options: Collection[Move] = decision.options if isinstance(decision, Choose) else ()
    if state.phase == "secrets":
        yield Remark(_secrets(state, view))
    elif state.phase == "tile":
        yield Remark(_tile(state, view))
    elif state.phase in _BEFORE_A_TURN:
        yield Remark(_BEFORE_A_TURN[state.phase](state), rule=state.phase)
    elif state.phase != "turn":
        return
    elif any(fact in options for fact in _FACTS):
        yield Remark(
            _("One answer alone is true; a false one is found out by its proof, and loses the game."),
            rule="facts",
        )
    elif NO_ANSWER in options:
        yield from _answer(state, view)
    elif state.runs[state.power] == view.seat and END in options:
        yield from _turn(state, view, options)
    else:
        yield Remark(_years(state, state.power), rule=f"year {state.year}")


# Before a turn


def _secrets(state: State, view: View[State]) -> str:
    """The free city that suits the secret to lay: a city that is hard to reach hides it best."""
    power, beliefs = state.power, Beliefs(state, view.seat, view.known)
    times = MEANS[power].multiples[-1]
    left = [
        beliefs.face(secret)
        for secret, lying in enumerate(state.secrets)
        if (lying.owner, lying.where) == (power, "reserve")
    ]
    options: Collection[Move] = view.decision.options if isinstance(view.decision, Choose) else ()
    free = sorted((CITY_NAMED[move.split()[1]] for move in options), key=lambda at: shelter(at, power))
    face = left[0] if left else None
    if face is None or not free:
        return _(
            "A secret that lies at home when the game ends counts its value times {times}, a counterspy half"
            " of that.",
            times=times,
        )
    if face in COUNTERSPIES:
        return _(
            "This counterspy should be found: {city} is the easiest to reach, and safer cities stay free for"
            " secrets worth more.",
            city=city(free[0]),
        )
    if any(value(face) < value(other) for other in left if other is not None and other not in COUNTERSPIES):
        return _(
            "Worth {value}, times {times} at home at the end: keep {city}, the hardest city to reach, for one"
            " worth more.",
            value=value(face),
            times=times,
            city=city(free[-1]),
        )
    return _(
        "Worth {value}, times {times} at home at the end: {city} is the safest free city by its ways and"
        " police.",
        value=value(face),
        times=times,
        city=city(free[-1]),
    )


def _bid(_state: State) -> str:
    return _(
        "The highest bid runs Russia until the next bidding; its pounds are gone, and chits cost pounds, too."
    )


def _police(state: State) -> str:
    strengths = ", ".join(map(str, MEANS[state.power].police))
    return _(
        "Police ({strengths}) search only where they stand, and capture a spy that is weaker than they are"
        " together.",
        strengths=strengths,
    )


def _talk(_state: State) -> str:
    return _("Talk binds nobody, and nothing changes hands before the year begins.")


def _spies(_state: State) -> str:
    return _(
        "A tile pays each power that has a spy in its cities, but nobody at home: {abroad} of yours may begin"
        " abroad.",
        abroad=ABROAD,
    )


def _tile(state: State, view: View[State]) -> str:
    """The tile of the greatest gain for this seat, of the tiles that fit."""
    decision = view.asked
    options = decision.options if isinstance(decision, Choose) else ()
    faces = {
        view.known[int(move.split()[1])]
        for move in options
        if move.startswith("tile ") and int(move.split()[1]) in view.known
    }
    fits = [face for face in faces if state.year in TILES[face].years]
    if not fits:
        return _("No tile of yours fits {year}: nothing is lost by it.", year=state.year)
    best = max(fits, key=lambda face: (sum(awards(state, view, face)), is_coloured(face), face))
    chits, money = awards(state, view, best)
    fields = {"tile": tile(best), "pounds": pounds(money)}
    if not chits and not money:
        return _(
            "No tile that fits pays your spies where they stand; one of your colour still counts {points}"
            " points.",
            points=A_TILE,
        )
    if not money:
        return n_(
            "{tile} pays your spies most where they stand: {count} chit.",
            "{tile} pays your spies most where they stand: {count} chits.",
            chits,
            tile=tile(best),
        )
    if not chits:
        return _("{tile} pays your spies most where they stand: {pounds}.", **fields)
    return n_(
        "{tile} pays your spies most where they stand: {count} chit and {pounds}.",
        "{tile} pays your spies most where they stand: {count} chits and {pounds}.",
        chits,
        **fields,
    )


def awards(state: State, view: View[State], face: TileId) -> tuple[int, int]:
    """The chits and pounds that a tile brings the powers of a seat."""
    chits = money = 0
    for award in TILES[face].awards:
        for power in range(len(POWERS)):
            abroad = state.runs[power] == view.seat and state.territory[award.city] != power
            if abroad and any(piece.city == award.city for _code, piece in state.own(power)):
                chits, money = chits + award.chits, money + award.pounds
    return chits, money


_BEFORE_A_TURN: Final[Mapping[str, Callable[[State], str]]] = {
    "bid": _bid,
    "police": _police,
    "talk": _talk,
    "spies": _spies,
}


# A turn


def _turn(state: State, view: View[State], options: Collection[Move]) -> Iterator[Remark]:
    """The surest gains: a secret at home, a search, a Discovery, a secret on its way; then what threatens."""
    beliefs = Beliefs(state, view.seat, view.known)
    gains = (
        cash(state, view, options),
        search(state, view, beliefs, options),
        discovery(state, view, beliefs, options),
        _way_home(state, view),
        _hunted(state, view, beliefs),
        _visited(state, view),
    )
    yield from map(Remark, filter(None, gains))
    yield Remark(_years(state, state.power), rule=f"year {state.year}")


def _hunted(state: State, view: View[State], beliefs: Beliefs) -> str:
    """The own spy that police of others most likely capture where it stands."""
    threats = [
        (beliefs.search(spy, guard, piece.city), spy, piece.city)
        for spy, piece in state.own(state.power)
        if (guard := state.police_of(piece.city)) is not None and not state.same_seat(guard, state.power)
    ]
    odds, hunted, where = max(threats, default=(0.0, 0, NOWHERE))
    if odds < _SURE:
        return ""
    return _(
        "The police in {city} are stronger than {spy} {odds} of the time: move on before they search.",
        city=city(where),
        spy=named(state, view, hunted),
        odds=percent(min(odds, 1.0)),
    )


def _visited(state: State, view: View[State]) -> str:
    """A foreign spy in a city where a secret of ours lies."""
    for lying in state.secrets:
        if (lying.owner, lying.where, lying.by) != (state.power, "map", state.power) or lying.city == NOWHERE:
            continue
        for visitor in state.spies_in(lying.city):
            if not state.same_seat(state.spies[visitor].power, state.power):
                return _(
                    "{spy} stands in {city} with {secret}, which is yours: police there can search it.",
                    spy=named(state, view, visitor),
                    city=city(lying.city),
                    secret=secret(lying.origin),
                )
    return ""


def cash(state: State, view: View[State], options: Collection[Move]) -> str:
    for move in options:
        word, *parts = move.split(" ")
        if word == "cash":
            carrier = SPY_CODED[parts[0]]
            fields = {"spy": named(state, view, carrier), "pounds": pounds(CASH)}
            load = state.carried(carrier)
            face = None if load is None else view.known.get(state.secrets[load].slot)
            if load is None or face is None or face in COUNTERSPIES:
                return _("{spy} has brought a secret home: cash it for {pounds} and a chit.", **fields)
            year = state.secrets[load].lost or state.year
            return _(
                "{spy} has brought a secret home: cash it for {pounds}, a chit, and {points} points at the"
                " end.",
                points=value(face) * multiple(state.power, year),
                **fields,
            )
    return ""


def search(
    state: State, view: View[State], beliefs: Beliefs, options: Collection[Move], least: float = _SURE
) -> str:
    """The search that most likely captures a spy; "" if none does so `least` of the time."""
    targets: list[tuple[float, SpyId, str]] = []
    for move in options:
        word, *parts = move.split(" ")
        if word == SEARCH:
            there = CITY_NAMED[parts[0]]
            police = strength_in(state, state.power, there, view.known) or 0
            targets += [
                (beliefs.caught_by(spy, police), spy, city(there))
                for spy in state.spies_in(there)
                if not state.same_seat(state.spies[spy].power, state.power)
                and not state.borrowed(state.spies[spy].power)
            ]
    odds, caught, where = max(targets, default=(0.0, 0, ""))
    if not targets or odds < least:
        return ""
    return _(
        "Your police in {city} are stronger than {spy} {odds} of the time: a search may bring {pounds}, a"
        " chit and points.",
        city=where,
        spy=named(state, view, caught),
        odds=percent(odds),
        pounds=pounds(REWARD),
    )


def discovery(state: State, view: View[State], beliefs: Beliefs, options: Collection[Move]) -> str:
    """The Discovery that most likely finds what is genuine, of chits that this seat has."""
    targets: list[tuple[float, SecretId, SpyId]] = []
    for move in options:
        word, *parts = move.split(" ")
        if word == CHIT_NAMES[DISCOVERY] and view.known.get(int(parts[0])) == DISCOVERY:
            target = state.named(CITY_NAMED[parts[2]])
            if target is not None:
                targets.append((beliefs.promise(target).genuine, target, SPY_CODED[parts[1]]))
    if not targets:
        return ""
    odds, target, by = max(targets)
    if beliefs.face(target) in GENUINE:
        return _(
            "{spy} can discover {secret}: you know that it is genuine.",
            spy=named(state, view, by),
            secret=secret(state.secrets[target].origin),
        )
    return _(
        "{spy} can discover {secret}: it is genuine {odds} of the time, by what you have seen.",
        spy=named(state, view, by),
        secret=secret(state.secrets[target].origin),
        odds=percent(odds),
    )


def _way_home(state: State, view: View[State]) -> str:
    """Of the spies with a foreign secret, the one nearest to its capital."""
    ways = [
        (cost(piece.city, CAPITALS[piece.power]), spy)
        for spy, piece in state.own(state.power)
        if (load := state.carried(spy)) is not None and state.secrets[load].owner != piece.power
    ]
    way, carrier = min(ways, default=(FAR, 0))
    if way >= FAR:
        return ""
    return n_(
        "{spy} carries a secret, about {count} space from {city}: cashed there it brings {pounds}, a chit"
        " and points.",
        "{spy} carries a secret, about {count} spaces from {city}: cashed there it brings {pounds}, a chit"
        " and points.",
        max(1, round(way)),
        spy=named(state, view, carrier),
        city=city(CAPITALS[state.power]),
        pounds=pounds(CASH),
    )


def _years(state: State, power: Power) -> str:
    """The points of a capture now and next year."""
    times = multiple(power, state.year)
    if state.year == LAST_YEAR:
        return _(
            "This is the last year: a capture counts the strength of the spy times {times}.", times=times
        )
    return _(
        "A capture counts the strength of the spy times {times} in {year}, times {later} in {next}.",
        year=state.year,
        times=times,
        next=state.year + 1,
        later=multiple(power, state.year + 1),
    )


# Answers


def _answer(state: State, view: View[State]) -> Iterator[Remark]:
    """The stake in another power's action."""
    for event in reversed(state.report):
        if event.kind == "searches" and mine(state, view, event.spy):
            yield Remark(searched(state, view, event))
            return
        if event.kind == "discovers":
            yield from map(Remark, filter(None, [discovered(state, view, event)]))
            break
        if event.kind == "sanctions" and mine(state, view, event.other):
            yield Remark(
                _(
                    "The Sanction would kill {spy}: an Escape, a Cover or a Double-cross would save it.",
                    spy=named(state, view, event.other),
                )
            )
            return
    yield Remark(
        _("To pass costs nothing; a chit costs its pounds, and in your own turn action points."), rule="pass"
    )


def searched(state: State, view: View[State], event: Event) -> str:
    odds = Beliefs(state, view.seat, view.known).search(event.spy, event.power, event.city)
    fields = {"city": city(event.city), "spy": named(state, view, event.spy)}
    if not odds:
        return _("The police in {city} cannot be stronger than {spy}: no answer is needed.", **fields)
    return _(
        "The police in {city} are stronger than {spy} {odds} of the time; Papers or an Escape would save it.",
        odds=percent(min(odds, 1.0)),
        **fields,
    )


def discovered(state: State, view: View[State], event: Event) -> str:
    """The content of the secret that somebody wants to discover; "" unless this seat owns and knows it."""
    lying = state.secrets[event.secret]
    keeper = lying.owner if lying.by is None else lying.by
    face = lying.face if lying.face is not None else view.known.get(lying.slot)
    if keeper is None or face is None or state.runs[keeper] != view.seat or mine(state, view, event.spy):
        return ""
    fields = {"city": city(lying.origin), "content": content(face)}
    if face in COUNTERSPIES and lying.by is not None:
        return _("Your secret of {city} is {content}, on guard: it captures a spy that is weaker.", **fields)
    if face in COUNTERSPIES:
        return _(
            "Your secret of {city} is {content}: no piece of yours is on it, so it captures nobody.", **fields
        )
    return _("Your secret of {city} is {content}: a Cover or a Double-cross would keep it.", **fields)


def mine(state: State, view: View[State], piece: SpyId) -> bool:
    return piece >= 0 and state.runs[state.spies[piece].power] == view.seat


def named(state: State, view: View[State], piece: SpyId) -> str:
    """A spy, as far as the seat knows it."""
    seen = state.spies[piece]
    return spy(piece, seen.face if seen.face is not None else view.known.get(seen.slot))
