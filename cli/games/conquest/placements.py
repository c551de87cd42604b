"""Sensible ways to place an army on the territories that a player has taken.

Deep zones lie far from the others' territories.  The flag goes to one of the deepest with cursed land beside
it or in the cities; every territory gets a piece, so that it is owned; the rest goes where the others are
near.  A template says who stands in front.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from p2p_stratego.conquest.rules.atlas import NEIGHBOURS, TERRITORIES, TERRITORY_OF, ZONES, Zone
from p2p_stratego.conquest.rules.pieces import ARMY, CURSED, FLAG
from p2p_stratego.core.game import Face
from p2p_stratego.core.view import Chance


@dataclass(frozen=True, slots=True)
class Template:
    """Who stands in front, from the first to the last, and where cursed land goes."""

    front: tuple[Face, ...]
    cursed_in_cities: bool = False


TEMPLATES: Final[Mapping[str, Template]] = MappingProxyType(
    {
        "guarded": Template((9, 7, 3, 2, 6, 8, 5, 3, 2, 10, 4, 2, 3, 2, 1)),
        "forward": Template((10, 9, 8, 7, 3, 6, 2, 5, 3, 4, 2, 1, 2, 3, 2)),
        "cities": Template((8, 3, 9, 2, 7, 2, 10, 3, 6, 5, 2, 4, 3, 1, 2), cursed_in_cities=True),
        "scouting": Template((2, 2, 4, 5, 2, 3, 6, 2, 7, 3, 8, 9, 3, 10, 1)),
    }
)


class Steady:
    """Chance that always falls the same way, so that a template is the same each time."""

    def random(self) -> float:
        """Always 0."""
        return 0.0


def placed(
    own: Collection[Zone], template: Template, chance: Chance, army: Collection[Face] = ARMY
) -> dict[Zone, Face]:
    """The army on zones of `own`, at least as many as it has pieces, one piece a zone."""
    depth = _depths(own)
    jitter = {zone: chance.random() for zone in sorted(own)}
    deep = sorted(own, key=lambda zone: (-depth[zone] - jitter[zone], zone))
    home = deep[0]
    chosen = _chosen(own, home, depth, jitter, len(army))
    rest = [zone for zone in chosen if zone != home]
    found: dict[Zone, Face] = {home: FLAG}
    cursed = sorted(rest, key=lambda zone: _guards(zone, home, template))[: list(army).count(CURSED)]
    found.update(dict.fromkeys(cursed, CURSED))
    front = sorted((z for z in rest if z not in found), key=lambda zone: (depth[zone] + jitter[zone], zone))
    found.update(zip(front, template.front, strict=True))
    return found


def random_placement(own: Collection[Zone], chance: Chance) -> dict[Zone, Face]:
    """Another sensible one each time."""
    templates = list(TEMPLATES.values())
    template = templates[int(chance.random() * len(templates))]
    order = sorted(
        range(len(template.front)), key=lambda at: at + 4 * chance.random()
    )  # neighbours in the order change places
    mixed = Template(tuple(template.front[at] for at in order), template.cursed_in_cities)
    return placed(own, mixed, chance)


def in_order(own: Collection[Zone], faces: Collection[Face], chance: Chance) -> dict[Zone, Face]:
    """Faces whose order is settled, on zones of `own`, ascending."""
    depth = _depths(own)
    jitter = {zone: chance.random() for zone in sorted(own)}
    home = max(own, key=lambda zone: (depth[zone] + jitter[zone], zone))
    return dict(zip(sorted(_chosen(own, home, depth, jitter, len(faces))), faces, strict=True))


def _chosen(
    own: Collection[Zone],
    home: Zone,
    depth: Mapping[Zone, int],
    jitter: Mapping[Zone, float],
    count: int,
) -> list[Zone]:
    """The zones to fill: `home`, one in every territory, those beside `home`, then the nearest to others."""
    found = [home]
    for place in sorted({TERRITORY_OF[zone] for zone in own} - {TERRITORY_OF[home]}):
        there = [zone for zone in TERRITORIES[place].zones if zone in own]
        found.append(min(there, key=lambda zone: (depth[zone] + jitter[zone], zone)))
    beside = [zone for zone in NEIGHBOURS[home] if zone in own]
    nearest = sorted(own, key=lambda zone: (depth[zone] + jitter[zone], zone))
    found += [zone for zone in dict.fromkeys((*beside, *nearest)) if zone not in found]
    return found[:count]


def _guards(zone: Zone, home: Zone, template: Template) -> tuple[bool, bool, Zone]:
    """How well cursed land stands on a zone, the smallest first."""
    beside, city = zone in NEIGHBOURS[home], TERRITORIES[TERRITORY_OF[zone]].city
    return (not city, not beside, zone) if template.cursed_in_cities else (not beside, not city, zone)


def _depths(own: Collection[Zone]) -> dict[Zone, int]:
    """How many steps each own zone is away from the nearest zone that is not; all alike if there is none."""
    found = {zone: 0 for zone in ZONES if zone not in own}
    frontier = list(found)
    while frontier:
        onward = []
        for zone in frontier:
            for other in NEIGHBOURS[zone]:
                if other not in found:
                    found[other] = found[zone] + 1
                    onward.append(other)
        frontier = onward
    return {zone: found.get(zone, 0) for zone in own}
