"""The map of Conquest Stratego as a person reads it: the one place to change it.

House values throughout: the printed board is lost.  `atlas` reads this drawing; everything else follows.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from p2p_stratego.core.language import mark_c

DRAWING: Final = """\
    a   b   c   d   e   f   g   h   i   j   k   l
6   A   B   B   B   C   C # D   D   E   E   E   F
            =                           =
5   A   G   G   H # C   I # J   D # K   L   L   F

4   A   G   H   H   I   I   J   J   K   K   L   F
            =   =                   =   =
3   M   N   O   O   P   P   Q   Q   R   R   S   T

2   M   N   N   O # U   P # Q   V # R   S   S   T
            =                           =
1   M   W   W   W   U   U # V   V   X   X   X   T
"""
"""North is up.  A letter is a zone of that territory; `#` and `=` are mountains between two zones."""


class TerritoryName(NamedTuple):
    """The name of a territory in English; `formats.words` has it in the language that is spoken."""

    name: str
    city: bool = False


TERRITORY_NAMES: Final[dict[str, TerritoryName]] = {
    "A": TerritoryName(mark_c("a territory", "Gullstrand")),
    "B": TerritoryName(mark_c("a territory", "North Hold"), city=True),
    "C": TerritoryName(mark_c("a territory", "Frostgate")),
    "D": TerritoryName(mark_c("a territory", "Highmeadow")),
    "E": TerritoryName(mark_c("a territory", "Rocky Wild"), city=True),
    "F": TerritoryName(mark_c("a territory", "Amberquay")),
    "G": TerritoryName(mark_c("a territory", "Thornmoor")),
    "H": TerritoryName(mark_c("a territory", "Ironbrow")),
    "I": TerritoryName(mark_c("a territory", "Lookout Ledge"), city=True),
    "J": TerritoryName(mark_c("a territory", "Keyfort"), city=True),
    "K": TerritoryName(mark_c("a territory", "Cinderscar")),
    "L": TerritoryName(mark_c("a territory", "Wolfheath")),
    "M": TerritoryName(mark_c("a territory", "Reedhaven")),
    "N": TerritoryName(mark_c("a territory", "Oxenfield")),
    "O": TerritoryName(mark_c("a territory", "Stonecradle")),
    "P": TerritoryName(mark_c("a territory", "Castleburg"), city=True),
    "Q": TerritoryName(mark_c("a territory", "Ravenfall"), city=True),
    "R": TerritoryName(mark_c("a territory", "Wyrmback")),
    "S": TerritoryName(mark_c("a territory", "Larkwood")),
    "T": TerritoryName(mark_c("a territory", "Saltspur")),
    "U": TerritoryName(mark_c("a territory", "Willowford")),
    "V": TerritoryName(mark_c("a territory", "Millbrook")),
    "W": TerritoryName(mark_c("a territory", "Mammoth Bay"), city=True),
    "X": TerritoryName(mark_c("a territory", "Tidewatch"), city=True),
}
