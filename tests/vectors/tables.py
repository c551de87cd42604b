"""The tables of games whose pictures are lost, as data: an implementer needs no Python to play by them.

Made from the rules; tests/vectors/test_tables.py reads them as a stranger would, and compares with the rules.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from p2p_stratego.conquest.rules import atlas as zones
from p2p_stratego.conquest.rules.cards import KINDS as CARDS
from p2p_stratego.conquest.rules.pieces import ARMY, FIXED, PIECES, SEAT_NAMES
from p2p_stratego.spies.rules import counters
from p2p_stratego.spies.rules.atlas import (
    BY_AIR,
    BY_RAIL,
    CAPITALS,
    CODES,
    HAVENS,
    NAMES,
    NEUTRAL,
    PORTS,
    POWERS,
    SEA_LINKS,
    SEA_NAMES,
    SIGN,
    TERRITORY,
)
from p2p_stratego.spies.rules.map_data import DIE
from p2p_stratego.spies.rules.tiles import ANNEXED, CRISIS, PACT, TILES, is_coloured

Table = Mapping[str, Any]


def spies() -> Table:
    """Powers, cities in the order of their numbers, seas, tiles and counters of SPIES!"""
    return {
        "powers": [
            {
                "name": name,
                "code": code,
                "pounds": means.money,
                "secrets": means.secrets,
                "police": means.police,
                "chits": means.chits,
                "multiples": means.multiples,
                "spies": means.spies,
            }
            for name, code, means in zip(POWERS, CODES, counters.MEANS, strict=True)
        ],
        "years": [counters.FIRST_YEAR, counters.LAST_YEAR],
        "spy strengths": counters.STRENGTHS,
        "cities": [
            {
                "name": name,
                "power": None if owner is None else POWERS[owner],
                "capital": city in CAPITALS,
                "police sign": city in SIGN,
                "neutral secret": city in NEUTRAL,
                "haven": city in HAVENS,
            }
            for city, (name, owner) in enumerate(zip(NAMES, TERRITORY, strict=True))
        ],
        "rail": [[NAMES[city], NAMES[other]] for city, other in sorted(BY_RAIL) if city < other],
        "air": [[NAMES[city], NAMES[other]] for city, other in sorted(BY_AIR) if city < other],
        "seas": [
            {
                "name": name,
                "ports": [NAMES[city] for city in ports],
                "next to": [SEA_NAMES[sea] for sea in near],
            }
            for name, ports, near in zip(SEA_NAMES, PORTS, SEA_LINKS, strict=True)
        ],
        "die of the sea": DIE,
        "secrets": [
            {"name": name, "face": face, "copies": counters.ALL_SECRETS.count(face)}
            for name, face in counters.SECRET_FACE.items()
        ],
        "chits": [
            {"name": kind.name, "face": face, "copies": kind.copies, "pounds": kind.pounds, "AP": kind.points}
            for face, kind in enumerate(counters.KINDS)
        ],
        "tiles": [
            {
                "face": tile.id,
                "name": tile.name,
                "coloured": is_coloured(tile.id),
                "years": [tile.years.start, tile.years.stop - 1],
                "awards": [[NAMES[award.city], award.chits, award.pounds] for award in tile.awards],
                "effect": _effect(tile.id),
            }
            for tile in TILES.values()
        ],
        **dict(zip(("secrets_in_order", "chits_in_order"), counters.IN_ORDER, strict=True)),
    }


def _effect(tile: int) -> str:
    if tile in ANNEXED:
        city, power = ANNEXED[tile]
        return f"{NAMES[city]} is territory of {POWERS[power]}"
    return {CRISIS: "played in 1938: the last year", PACT: "played by russia under `bid`: the pact"}.get(
        tile, ""
    )


def conquest() -> Table:
    """Zones, mountains, territories, pieces and cards of Conquest."""
    return {
        "seats": SEAT_NAMES,
        "zones": zones.NAMES,
        "mountains": [[zones.NAMES[zone], zones.NAMES[other]] for zone, other in sorted(zones.MOUNTAINS)],
        "territories": [
            {
                "letter": territory.letter,
                "name": territory.name,
                "city": territory.city,
                "zones": [zones.NAMES[zone] for zone in territory.zones],
            }
            for territory in zones.TERRITORIES
        ],
        "pieces": [
            {"face": face, "name": piece.name, "a side": piece.a_side, "fixed": face in FIXED}
            for face, piece in enumerate(PIECES)
        ],
        "army": ARMY,
        "cards": [{"name": kind.name, "title": kind.title, "in all": kind.in_all} for kind in CARDS],
    }


def written(table: Table) -> bytes:
    """As JSON, one item of each list on a line, so that a difference is read at a glance."""
    return ("{\n" + ",\n".join(_members(table)) + "\n}\n").encode()


def _members(table: Table) -> Iterator[str]:
    for name, value in table.items():
        rows = [json.dumps(item, ensure_ascii=False) for item in value]
        nested = any(isinstance(item, dict | list | tuple) for item in value)
        lines = ",\n  ".join(rows) if nested else ", ".join(rows)
        yield f' "{name}": [\n  {lines}\n ]' if nested else f' "{name}": [{lines}]'


FILES: Final = {"spies.json": spies, "conquest.json": conquest}
