"""The map at one moment of SPIES!, as one seat sees it: for the map, the panels and the sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from cli.games.interface import ViewContext
from cli.games.spies import laying, reach
from p2p_stratego.core.game import Choose, Face, Seat, Slot
from p2p_stratego.core.view import View
from p2p_stratego.spies.rules.atlas import CITY_NAMED, POWERS, SIGNED, City, Power
from p2p_stratego.spies.rules.police import Layings
from p2p_stratego.spies.rules.state import DROP, NOWHERE, POLICE, SPY_CODED, Event, SecretId, SpyId, State
from p2p_stratego.spies.rules.turn.trade import Proposals
from p2p_stratego.spies.rules.underway import now

_WORD: Final = re.compile(r"[a-z]+[0-9]?")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The moment, as one seat sees it."""

    state: State
    seat: Seat
    known: Mapping[Slot, Face]
    cursor: City | None
    picked: SpyId | None
    """The own spy that is pointed at or typed."""
    goals: frozenset[City]
    """The cities that can be named now; with a spy picked, those where it can go at once."""
    points: Mapping[City, int]
    """By city that the picked spy can reach by link in this turn, the points that takes."""
    harbours: frozenset[City]
    """The other cities where it can land now, if the die allows it."""
    named: frozenset[City]
    """The cities that are typed."""
    changed: frozenset[City]
    """Where something has just happened."""

    def runs(self, power: Power) -> bool:
        """Whether this seat runs a power."""
        return self.state.runs[power] == self.seat

    def worn(self, power: Power) -> tuple[str, ...]:
        """The style of a power's player, whose colour all its powers wear; none while nobody runs it."""
        seat = self.state.runs[power]
        return () if seat is None else (f"seat{seat}",)

    @property
    def focus(self) -> City | None:
        """The city that the player looks at: under the cursor, or where the picked spy stands."""
        if self.cursor is not None or self.picked is None:
            return self.cursor
        at = self.state.spies[self.picked].city
        return None if at == NOWHERE else at


def snapshot(context: ViewContext) -> Snapshot:
    """Read a context."""
    view: View[State] = context.view
    state = now(view)
    words = _WORD.findall(context.typed.lower())
    cursor = CITY_NAMED.get(context.cursor)
    typed = next((SPY_CODED[word] for word in words if word in SPY_CODED), None)
    own = typed if typed is not None and state.runs[state.spies[typed].power] == view.seat else None
    ways = {} if own is None else reach.ways(view, own)
    return Snapshot(
        state=state,
        seat=view.seat,
        known=view.known,
        cursor=cursor,
        picked=own,
        goals=_goals(view, own),
        points={city: len(way) for city, way in ways.items()},
        harbours=frozenset() if own is None else frozenset(reach.harbours(view, own)) - set(ways),
        named=frozenset(CITY_NAMED[word] for word in words if word in CITY_NAMED),
        changed=frozenset(city for event in state.report for city in _places(state, event)),
    )


def _places(state: State, event: Event) -> Iterator[City]:
    """Where something happened: its city, else where its spies and secret are."""
    if event.city >= 0:
        yield event.city
        return
    spies = [event.spy, event.other] if event.kind == "sanctions" else [event.spy]
    cities = [state.spies[spy].city for spy in spies if spy >= 0]
    cities += [state.secrets[event.secret].city] * (event.secret >= 0)
    yield from (city for city in cities if city != NOWHERE)


def _goals(view: View[State], picked: SpyId | None) -> frozenset[City]:
    """The cities in the options: the goals of the picked spy or, with no spy named there, all.

    While police are laid, the power's cities with a police sign.
    """
    if laying.is_asked(view):
        return frozenset(SIGNED[now(view).power])
    if not isinstance(view.decision, Choose) or isinstance(view.decision.options, Layings | Proposals):
        return frozenset()  # these are too many to go through
    cities = set()
    for option in view.decision.options:
        word, *parts = option.split(" ")
        if word == "move" and SPY_CODED[parts[0]] == picked:
            cities.add(CITY_NAMED[parts[1]])
        elif word in ("at", "search", "land") and parts:
            cities.add(CITY_NAMED[parts[0]])
    return frozenset(cities)


@dataclass(frozen=True, slots=True)
class CityPiece:
    """A thing in a city: the piece that controls a secret, the secret, or both."""

    power: Power | None
    """Whose piece stands there, or who controls the secret; None: nobody."""
    sign: str
    """A digit: a spy, by its number; P: police; v: a drop; "": a secret on the ground."""
    secret: SecretId | None = None


def standing(state: State, city: City) -> tuple[CityPiece, ...]:
    """All that stands in a city: secrets on the ground first, then police, drops and spies by power."""
    pieces = []
    under: dict[int, SecretId] = {}
    for secret in state.secrets_in(city):
        lying = state.secrets[secret]
        if lying.on >= 0:
            under[lying.on] = secret
        elif lying.on in (POLICE, DROP):
            pieces.append(CityPiece(lying.by, "P" if lying.on == POLICE else "v", secret))
        else:
            pieces.append(CityPiece(None, "", secret))
    for power in range(len(POWERS)):
        if state.police_in(power, city):
            pieces += [CityPiece(power, "P")] * state.idle_police(power, city)
    pieces += [
        CityPiece(state.spies[spy].power, str(spy % 5 + 1), under.get(spy)) for spy in state.spies_in(city)
    ]
    return tuple(pieces)
