"""SPIES!: cities, spies, chits and numbers are words; chits and tiles go by their places in the hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Final

from cli.research.tables import (
    END,
    Asking,
    Field,
    GameTable,
    Moment,
    NotEncoded,
    Word,
    face_words,
    laying_for,
    listed,
)
from p2p_stratego.core.game import Choose, Commit, Move, Options
from p2p_stratego.core.self_play import Decided
from p2p_stratego.core.view import View
from p2p_stratego.spies.rules import notation
from p2p_stratego.spies.rules.atlas import CITY_NAMED, NAMES, POWERS, SEA_NAMES, SIGN, SIGNED, Power
from p2p_stratego.spies.rules.counters import A_CITY, CHIT_NAMES, MEANS
from p2p_stratego.spies.rules.observation import secret_face, spy_face, true_options
from p2p_stratego.spies.rules.police import Layings, cities_of
from p2p_stratego.spies.rules.purse import MOST
from p2p_stratego.spies.rules.state import NOWHERE, SPY_CODED, Secret, Spy, State
from p2p_stratego.spies.rules.tiles import COLOURED, RANDOM, TILES
from p2p_stratego.spies.rules.turn.actions import PROPOSE, TALK
from p2p_stratego.spies.rules.turn.trade import Proposals, Terms, parsed
from p2p_stratego.spies.rules.turn.tricks import BY_POLICE
from p2p_stratego.spies.rules.underway import now

_VERBS: Final = (
    *("at", "bid", "pay", "stand", "tile", "discard", "hand", "return", "move", "sail", "land"),
    *("cash", "take", "give", "leave", "want", "no", "more", "not", TALK, PROPOSE, BY_POLICE),
    *(notation.END, notation.NO_ANSWER, notation.SEARCH, notation.STAY, notation.AGAIN),
    *(notation.CAPTURED, notation.FREE, notation.IS_GENUINE, notation.IS_COUNTERSPY, notation.IS_COUSIN),
    *(notation.SURVIVES, notation.SEIZE, notation.ACCEPT, notation.DECLINE, notation.READY),
)
_NUMBERS: Final = tuple(map(str, range(MOST + 1)))
_FACES: Final = range(max(max(means.police) for means in MEANS) + 1)
_HAND: Final = 16
"""Places of a hand that an observation tells: ten chits, and what comes before some go back."""
_TILES: Final = RANDOM + COLOURED
_SEAT_OF_POWER: Final = "0 nobody, 1 own, 2 to 5 the next seats"
_PHASES: Final = ("secrets", "bid", "police", "talk", "spies", "tile", "turn", "over")
_SPY_AT: Final = ("reserve", "map", "captured", "box", "killed", "lost")
_SECRET_AT: Final = ("reserve", "map", "cashed", "removed")


def check(options: Options) -> None:
    """See GameTable.check."""
    if options["purse"] != "open":
        raise NotEncoded(
            "SPIES! is played here with open purses: the digits of secret ones are proofs, no play"
        )


def ask(view: View[State]) -> Asking:
    """See GameTable.ask."""
    decision = view.asked
    if isinstance(decision, Commit):
        return (yield from laying_for(decision))
    if isinstance(decision.options, Layings):
        return (yield from _ask_police(decision.options))
    if isinstance(decision.options, Proposals):
        return (yield from _ask_terms(decision.options))
    state = now(view)
    barren = {
        notation.words(PROPOSE, POWERS[other])
        for other in state.talks
        if not Proposals(state, state.power, other)
    }
    options = [(_split(state, move), move) for move in true_options(view) if move not in barren]
    return (yield from listed(option for option in options if not any(map(_is_too_large, option[0]))))


def _is_too_large(word: Word) -> bool:
    """Whether a word is a number that has no action."""
    return word.isdigit() and int(word) > MOST


def _ask_police(options: Layings) -> Asking:
    """The city of each unit, in the order of the units."""
    standing: list[int] = []
    signed = SIGNED[options.power]
    for _ in range(options.units):
        free = [city for city in signed if standing.count(city) < A_CITY]
        if not any(city not in SIGN for city in standing):
            free += options.unsigned
        standing.append(CITY_NAMED[(yield [NAMES[city] for city in free])])
    signs = [city for city in signed for _ in range(standing.count(city))]
    return notation.lay(options.power, [*signs, *(city for city in standing if city not in SIGN)])


def _ask_terms(options: Proposals) -> Asking:
    """Pounds offered, places of chits offered, ascending, pounds wanted, chits wanted."""
    may_be_empty = options.may_begin_empty()

    def numbers(terms: Terms) -> list[int]:
        candidates = (terms._replace(number=number) for number in options.numbers(len(terms.chits)))
        return [terms.number for terms in candidates if may_be_empty or not terms.empty]

    def pounds(power: Power) -> list[int]:
        return [sum_ for sum_ in options.pounds(power) if sum_ is not None and sum_ <= MOST]

    def wanted(terms: Terms) -> list[int]:
        return [sum_ for sum_ in pounds(options.other) if numbers(terms._replace(wanted=sum_))]

    def places(terms: Terms) -> list[int]:
        last = terms.chits[-1] if terms.chits else -1
        more = any(True for _ in options.numbers(len(terms.chits) + 1))
        return [place for place in range(last + 1, options.own()) if more]

    terms = Terms(0, (), 0, 0)
    offered = [sum_ for sum_ in pounds(options.power) if sum_ or wanted(terms) or places(terms)]
    terms = terms._replace(offered=int((yield [str(sum_) for sum_ in offered])))
    while following := [*map(str, places(terms)), *([END] if wanted(terms) else [])]:
        word = yield following
        if word == END:
            break
        terms = terms._replace(chits=(*terms.chits, int(word)))
    terms = terms._replace(wanted=int((yield [str(sum_) for sum_ in wanted(terms)])))
    return terms._replace(number=int((yield [str(number) for number in numbers(terms)]))).move


def spell(view: View[State], decided: Decided) -> Sequence[Word]:
    """See GameTable.spell."""
    if not isinstance(decided, str):
        return face_words(decided)
    options = view.asked.options if isinstance(view.asked, Choose) else ()
    if isinstance(options, Layings):
        return [NAMES[city] for city in cities_of(options.power, decided)]
    terms = parsed(decided)
    if isinstance(options, Proposals) and terms is not None:
        return [str(terms.offered), *map(str, terms.chits), END, str(terms.wanted), str(terms.number)]
    return _split(now(view), decided)


def _split(state: State, move: Move) -> Sequence[Word]:
    """A move as words; the slot of a tile or a chit is its place among those of its power."""
    word, *parts = move.split(" ")
    if parts and parts[0].isdigit() and word in _OF_SLOTS:
        slot = int(parts[0])
        held = next(slots for slots in (*state.hands, *state.tiles) if slot in slots)
        parts[0] = str(held.index(slot))
    return [word, *parts]


_OF_SLOTS: Final = frozenset({"tile", "discard", "hand", "return", *CHIT_NAMES})


class _Moment(Moment[State]):
    """The map now, in the middle of a step too, with the faces that the seat knows."""

    def spies(self, number: str) -> Iterator[int]:
        for spy, piece in enumerate(self.state.spies):
            yield (
                _of_spy(piece, number)
                if number != "face"
                else _one_more(spy_face(self.state, spy, self.view.known))
            )

    def secrets(self, number: str) -> Iterator[int]:
        for secret, lying in enumerate(self.state.secrets):
            yield (
                _of_secret(lying, number)
                if number != "face"
                else (secret_face(self.state, secret, self.view.known) or 0)
            )

    def held(self, slots: Sequence[Sequence[int]], places: int, more: int) -> Iterator[int]:
        """By power and place: the face + `more`; 0: none; -1: one that the seat cannot read."""
        for held in slots:
            faces = [self.view.known.get(slot, -1 - more) + more for slot in held[:places]]
            yield from (*faces, *[0] * (places - len(faces)))

    def police(self) -> list[int]:
        """By city: how many units stand there."""
        units = [0] * len(NAMES)
        for unit in chain(*self.state.police):
            units[unit.city] += 1
        return units

    def strengths(self) -> list[int]:
        """By city: the strength of the police there together; 0: none; -1: not known."""
        strengths = [0] * len(NAMES)
        for unit in chain(*self.state.police):
            strength = self.view.known.get(unit.slot) if unit.face is None else unit.face
            known = strength is not None and strengths[unit.city] >= 0
            strengths[unit.city] = strengths[unit.city] + (strength or 0) if known else -1
        return strengths


def _one_more(value: int | None) -> int:
    return 0 if value is None else 1 + value


def _of_spy(spy: Spy, number: str) -> int:
    if number == "where":
        return _SPY_AT.index(spy.where)
    if number == "city":
        return 0 if spy.city == NOWHERE else 1 + spy.city
    return _one_more(spy.captor) if number == "captor" else spy.year


def _of_secret(secret: Secret, number: str) -> int:
    if number == "where":
        return _SECRET_AT.index(secret.where)
    if number in ("origin", "city"):
        return 1 + (secret.origin if number == "origin" else secret.city)
    if number in ("owner", "by"):
        return _one_more(secret.owner if number == "owner" else secret.by)
    return secret.on if number == "on" else secret.lost if number == "lost" else int(secret.away)


def _standing(it: _Moment) -> tuple[int, ...]:
    state = it.state
    return (
        _PHASES.index(state.phase),
        it.view.seat,
        state.seats,
        state.year,
        state.power,
        state.ap,
        state.stage,
        1 + state.mover,
        state.spent,
        _one_more(state.partner),
        state.proposals,
        state.handled,
        state.cup,
        int(state.pact),
        int(state.crisis),
        int(state.alliances),
    )


def _played(it: _Moment) -> list[int]:
    played = {tile.tile: 1 + tile.power for tile in it.state.played}
    return [played.get(tile, 0) for tile in TILES]


def _markers(it: _Moment) -> list[int]:
    return [sum(marker.power == power for marker in it.state.markers) for power in range(len(POWERS))]


_SPIES: Final = len(SPY_CODED)
_SECRETS: Final = 40
_POWERS: Final = len(POWERS)
_CITIES: Final = len(NAMES)
TABLE: Final = GameTable(
    words=tuple(
        dict.fromkeys(
            (
                *face_words(_FACES),
                END,
                *NAMES,
                *SEA_NAMES,
                *POWERS,
                *SPY_CODED,
                *CHIT_NAMES,
                *_VERBS,
                *_NUMBERS,
            )
        )
    ),
    longest=_HAND,
    fields=(
        Field(
            "phase, seat, seats, year, power, action points, stage, mover + 1, its spaces, partner + 1, "
            "proposals, secrets handled, chits in the cup, pact, crisis, alliances",
            16,
            _standing,
        ),
        Field(f"who runs each power: {_SEAT_OF_POWER}", _POWERS, lambda it: map(it.seat, it.state.runs)),
        Field("pounds, by power", _POWERS, lambda it: it.state.money),
        Field("spies killed, by power", _POWERS, _markers),
        Field("talks open, by power", _POWERS, lambda it: (int(p in it.state.talks) for p in range(_POWERS))),
        Field(
            "power + 1 whose territory each city is", _CITIES, lambda it: map(_one_more, it.state.territory)
        ),
        Field("police units, by city", _CITIES, _Moment.police),
        Field("strength of the police, by city; -1: not known", _CITIES, _Moment.strengths),
        Field(
            "searched in this turn, by city",
            _CITIES,
            lambda it: (int(c in it.state.searched) for c in range(_CITIES)),
        ),
        Field(
            "finished in this turn, by spy",
            _SPIES,
            lambda it: (int(s in it.state.finished) for s in range(_SPIES)),
        ),
        *(
            Field(f"{number}, by spy", _SPIES, partial(_Moment.spies, number=number))
            for number in ("where", "city", "captor", "year", "face")
        ),
        *(
            Field(f"{number}, by secret", _SECRETS, partial(_Moment.secrets, number=number))
            for number in ("owner", "where", "origin", "city", "by", "on", "lost", "away", "face")
        ),
        Field("chit + 1, by power and place", _POWERS * _HAND, lambda it: it.held(it.state.hands, _HAND, 1)),
        Field("tile, by power and place", _POWERS * _TILES, lambda it: it.held(it.state.tiles, _TILES, 0)),
        Field("power + 1 that played each tile", len(TILES), _played),
    ),
    moment=lambda view: _Moment(view, now(view)),
    ask=ask,
    spell=spell,
    check=check,
)
