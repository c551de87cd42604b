"""The map of Conquest Stratego as a person reads it: the one place to change it.

House values throughout: the printed board is lost.  `atlas` reads this drawing; everything else follows.
"""

from __future__ import annotations

from typing import Final, NamedTuple

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


class Named(NamedTuple):
    """The name of a territory."""

    name: str
    city: bool = False


TERRITORY_NAMES: Final[dict[str, Named]] = {
    "A": Named("Gullstrand"),
    "B": Named("North Hold", city=True),
    "C": Named("Frostgate"),
    "D": Named("Highmeadow"),
    "E": Named("Rocky Wild", city=True),
    "F": Named("Amberquay"),
    "G": Named("Thornmoor"),
    "H": Named("Ironbrow"),
    "I": Named("Lookout Ledge", city=True),
    "J": Named("Keyfort", city=True),
    "K": Named("Cinderscar"),
    "L": Named("Wolfheath"),
    "M": Named("Reedhaven"),
    "N": Named("Oxenfield"),
    "O": Named("Stonecradle"),
    "P": Named("Castleburg", city=True),
    "Q": Named("Ravenfall", city=True),
    "R": Named("Wyrmback"),
    "S": Named("Larkwood"),
    "T": Named("Saltspur"),
    "U": Named("Willowford"),
    "V": Named("Millbrook"),
    "W": Named("Mammoth Bay", city=True),
    "X": Named("Tidewatch", city=True),
}
