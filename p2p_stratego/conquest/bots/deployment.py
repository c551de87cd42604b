"""The agent before play: which territories it takes, which zones it fills, and which piece goes where."""

from __future__ import annotations

from typing import Final

from p2p_stratego.conquest.bots.characters import EVEN, Temper
from p2p_stratego.conquest.bots.distances import STEPS_APART
from p2p_stratego.conquest.rules.atlas import (
    BORDERS,
    CITIES,
    NEIGHBOURS,
    TERRITORIES,
    TERRITORY_OF,
    ZONES,
    TerritoryId,
    Zone,
)
from p2p_stratego.conquest.rules.choices import digits, own_zones
from p2p_stratego.conquest.rules.notation import fill
from p2p_stratego.conquest.rules.pieces import (
    ARMY,
    BARON,
    COUNT,
    CURSED,
    DUKE,
    FLAG,
    KING,
    KNIGHT,
    PRINCE,
    QUEEN,
    SCOUT,
    SORCERESS,
    SPY,
)
from p2p_stratego.conquest.rules.state import SLOTS, State
from p2p_stratego.core.game import Face, Move, Seat
from p2p_stratego.core.view import Chance

NEXT_TO_OTHERS: Final = -0.4
WHIM: Final = 0.5
"""The worth of a pick of the draft, beside that of the temper: each neighbour of another's; and a lot."""


_FAR: Final = tuple(
    sum(sum(STEPS_APART[zone]) for zone in territory.zones) / len(territory.zones) / len(ZONES)
    for territory in TERRITORIES
)
REMOTE: Final = tuple(far - sum(_FAR) / len(_FAR) for far in _FAR)
"""By territory: how much farther than others it is from all zones on average, in steps."""


def best_pick(state: State, seat: Seat, chance: Chance, temper: Temper = EVEN) -> TerritoryId:
    """The territory to take: by its city, an own land in one piece, and how far away it lies."""

    def worth(place: TerritoryId) -> float:
        near = [state.taken[other] for other in BORDERS[place]]
        own, others = near.count(seat), sum(owner not in (None, seat) for owner in near)
        land = temper.city * (place in CITIES) + temper.together * own + NEXT_TO_OTHERS * others
        return land + temper.rim * REMOTE[place] + WHIM * chance.random()

    return max((place for place, owner in enumerate(state.taken) if owner is None), key=worth)


def _depth(state: State, seat: Seat) -> dict[Zone, int]:
    """For each own zone, how far the nearest zone is that is not the seat's own."""
    own = set(own_zones(state, seat))
    others = [zone for zone in ZONES if zone not in own]
    return {zone: min(STEPS_APART[zone][other] for other in others) for zone in own}


def flag_zone(state: State, seat: Seat) -> Zone:
    """Where the flag stands: deep in the own land, with few neighbours, in no city."""
    depth = _depth(state, seat)
    return max(
        sorted(depth),
        key=lambda zone: depth[zone] - 0.3 * len(NEIGHBOURS[zone]) - 0.5 * (TERRITORY_OF[zone] in CITIES),
    )


def filled_zones(state: State, seat: Seat) -> tuple[Zone, ...]:
    """The zones that get a piece: flag and guards, one in each own territory, then towards the others.

    They depend on the draft alone, so that armies and zones can be decided one after the other.
    """
    depth = _depth(state, seat)
    flag = flag_zone(state, seat)
    chosen = [flag, *(zone for zone in NEIGHBOURS[flag] if zone in depth)]
    for place, owner in enumerate(state.taken):
        if owner == seat and not set(TERRITORIES[place].zones) & set(chosen):
            chosen.append(min(TERRITORIES[place].zones, key=lambda zone: depth[zone]))
    rest = sorted((zone for zone in depth if zone not in chosen), key=lambda zone: (depth[zone], zone))
    return tuple(sorted([*chosen, *rest][:SLOTS]))


def fill_move(state: State, seat: Seat) -> Move:
    """The zones said aloud."""
    own = own_zones(state, seat)
    return fill((own.index(zone) for zone in filled_zones(state, seat)), digits(state))


_FRONT: Final[dict[Face, float]] = {
    KING: 1.6,
    QUEEN: 1.4,
    PRINCE: 1.2,
    DUKE: 1.1,
    COUNT: 0.8,
    KNIGHT: 0.6,
    SCOUT: 0.4,
    SORCERESS: 0.5,
    BARON: 0.2,
    SPY: -0.8,
}
"""How much a piece likes to stand towards the others."""


def army(state: State, seat: Seat, chance: Chance) -> tuple[Face, ...]:
    """A piece for each slot: the flag with cursed land and a strong piece beside it, the strong in front."""
    zones = filled_zones(state, seat)
    depth, flag = _depth(state, seat), flag_zone(state, seat)
    placed: dict[Zone, Face] = {flag: FLAG}
    left = sorted(face for face in ARMY if face != FLAG)
    guards = sorted(
        (zone for zone in NEIGHBOURS[flag] if zone in zones), key=lambda zone: (depth[zone], chance.random())
    )
    for zone, face in zip(guards, (CURSED, CURSED, DUKE, SORCERESS), strict=False):
        placed[zone] = face
        left.remove(face)
    cities = [zone for zone in zones if TERRITORY_OF[zone] in CITIES and zone not in placed]
    if CURSED in left and cities:  # cursed land guards a city well
        zone = min(cities, key=lambda zone: (depth[zone], chance.random()))
        placed[zone] = CURSED
        left.remove(CURSED)
    liking = sorted(left, key=lambda face: _FRONT.get(face, -1.0) + 0.8 * chance.random(), reverse=True)
    rest = sorted((zone for zone in zones if zone not in placed), key=lambda zone: (depth[zone], zone))
    placed.update(zip(rest, liking, strict=True))
    return tuple(placed[zone] for zone in zones)
