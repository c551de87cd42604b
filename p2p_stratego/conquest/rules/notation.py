"""The moves of Conquest Stratego: every text that a Choose of this game can offer, and its meaning.

Each has exactly one spelling.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Final

from p2p_stratego.conquest.rules.atlas import LETTERS, NAMES, ZONE_NAMED, TerritoryId, Zone
from p2p_stratego.conquest.rules.cards import CARD_NAMED, CARD_NAMES, Card
from p2p_stratego.conquest.rules.pieces import FACE_NAMED
from p2p_stratego.conquest.rules.pieces import NAMES as FACE_NAMES
from p2p_stratego.core.game import Face, Move

NONE: Final = "none"
"""The player to move says that no piece of its can step."""
STOP: Final = "stop"
"""The seat makes no more moves in this turn."""
TRIO: Final = 3
"""Pieces that a regroup mixes."""
YES: Final = "yes"
NO: Final = "no"
PLAY_NONE: Final = "play none"

_TAKE, _ZONES, _PLAY, _PLACE = "take ", "zones ", "play ", "place "
_REGROUP, _LOOK, _DRAW, _ACCUSE, _FLAG = "regroup ", "look ", "draw ", "accuse ", "flag "


def take(place: TerritoryId) -> Move:
    """To pick a territory in the draft: "take A"."""
    return _TAKE + LETTERS[place]


def taken(move: Move) -> TerritoryId:
    """The territory of `take`."""
    return LETTERS.index(move.removeprefix(_TAKE))


def fill(places: Iterable[int], digits: int) -> Move:
    """The own zones that get a piece: "zones 00003ffff", bit i for the i-th own zone, a digit each four."""
    return f"{_ZONES}{sum(1 << place for place in set(places)):0{digits}x}"


def filled(move: Move) -> tuple[int, ...]:
    """The places of `fill`, ascending."""
    bits = int(move.removeprefix(_ZONES), 16)
    return tuple(place for place in range(bits.bit_length()) if bits >> place & 1)


_HEX: Final = re.compile(f"{_ZONES}[0-9a-f]+")


def is_fill(move: object, digits: int) -> bool:
    """Whether this is spelt like a `fill` with so many digits."""
    # By pattern, and in small letters: `int` also reads signs, spaces, "_" and the digits of other scripts.
    return isinstance(move, str) and len(move) == len(_ZONES) + digits and bool(_HEX.fullmatch(move))


def play(card: Card) -> Move:
    """To play a card: "play blitz"."""
    return _PLAY + CARD_NAMES[card]


def played(move: Move) -> Card | None:
    """The card of `play`; None for "play none"."""
    return CARD_NAMED.get(move.removeprefix(_PLAY))


def place(zone: Zone) -> Move:
    """To put a piece from the bag on a zone: "place c4"."""
    return _PLACE + NAMES[zone]


def flag(zone: Zone) -> Move:
    """To put the own flag, won back, on a zone: "flag c4"."""
    return _FLAG + NAMES[zone]


def regroup(zones: Iterable[Zone]) -> Move:
    """To mix three own pieces: "regroup a1 b2 c3", ascending."""
    return _REGROUP + " ".join(NAMES[zone] for zone in sorted(zones))


def trio(move: object) -> tuple[Zone, ...] | None:
    """The three zones of `regroup`; None if it is none."""
    if not isinstance(move, str) or not move.startswith(_REGROUP):
        return None
    named = tuple(ZONE_NAMED.get(word) for word in move.removeprefix(_REGROUP).split(" "))
    zones = tuple(zone for zone in named if zone is not None)
    ascending = all(low < high for low, high in pairwise(zones))
    return zones if len(zones) == len(named) == TRIO and ascending else None


def look(zones: Iterable[Zone]) -> Move:
    """To look at two pieces: "look c4 d4", ascending."""
    return _LOOK + " ".join(NAMES[zone] for zone in sorted(zones))


def draw(index: int) -> Move:
    """To show a closed piece of the own bag, counted from 0: "draw 3"."""
    return f"{_DRAW}{index}"


def drawn(move: Move) -> int:
    """The index of `draw`."""
    return int(move.removeprefix(_DRAW))


def accuse(zone: Zone, face: Face) -> Move:
    """The Traitor's guess: "accuse c4 king"."""
    return f"{_ACCUSE}{NAMES[zone]} {FACE_NAMES[face]}"


def accused(move: Move) -> tuple[Zone, Face]:
    """The zone and the kind of `accuse`."""
    zone, face = move.removeprefix(_ACCUSE).split(" ")
    return ZONE_NAMED[zone], FACE_NAMED[face]


def move(source: Zone, target: Zone) -> Move:
    """A step, a run or an attack: "c4c5"."""
    return NAMES[source] + NAMES[target]


def zones(move: object) -> tuple[Zone, Zone] | None:
    """Source and target of `move`; None if it is none."""
    if not isinstance(move, str) or len(move) != 4:
        return None
    source, target = ZONE_NAMED.get(move[:2]), ZONE_NAMED.get(move[2:])
    return None if source is None or target is None else (source, target)


def zones_in(move: Move) -> tuple[Zone, ...]:
    """The zones named behind the first word: of `place`, `flag`, `regroup` and `look`."""
    return tuple(ZONE_NAMED[word] for word in move.split(" ")[1:])
