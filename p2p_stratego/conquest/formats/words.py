"""The words of all sentences for pieces, cards, territories and lists of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from p2p_stratego.conquest.rules.atlas import TERRITORIES, TerritoryId
from p2p_stratego.conquest.rules.cards import KINDS, Card
from p2p_stratego.conquest.rules.pieces import CURSED, FLAG
from p2p_stratego.core.game import Face
from p2p_stratego.core.language import _, _c, mark_each
from p2p_stratego.core.narration import listed

_ONE: Final = mark_each("""
    Cursed land, Spy, Scout, Sorceress, Baron, Knight, Count, Duke, Prince, Queen, King, Flag
""")
"""By face."""
_MANY: Final = mark_each("""
    Cursed lands, Spys, Scouts, Sorceresses, Barons, Knights, Counts, Dukes, Princes, Queens, Kings,
    Flags
""")
"""The same of several."""
_WITHOUT_RANK: Final = (CURSED, FLAG)


def piece(face: Face) -> str:
    """A piece: "King (10)", "Cursed land", "Flag"."""
    return _ranked(_(_ONE[face]), face)


def named(face: Face) -> str:
    """A piece by its name alone: "King"."""
    return _(_ONE[face])


def pieces(faces: Iterable[Face]) -> str:
    """Pieces in a list, the highest first: "King (10), 2 Scouts (2)"."""
    count = Counter(faces)
    return ", ".join(_several(face, count[face]) for face in sorted(count, reverse=True))


def _ranked(name: str, face: Face) -> str:
    """A name with its rank, if it has one."""
    return name if face in _WITHOUT_RANK else f"{name} ({face})"


def _several(face: Face, count: int) -> str:
    return piece(face) if count == 1 else f"{count} {_ranked(_(_MANY[face]), face)}"


def card(kind: Card) -> str:
    """A card by its title."""
    return _(KINDS[kind].title)


def cards(kinds: Iterable[Card]) -> str:
    """Cards in a list, like ones together: "2 Blitz!, Traitor"."""
    count = Counter(kinds)
    return ", ".join(
        card(kind) if count[kind] == 1 else f"{count[kind]} {card(kind)}" for kind in sorted(count)
    )


def land(place: TerritoryId) -> str:
    """A territory by its name alone: "Gullstrand"."""
    return _c("a territory", TERRITORIES[place].name)


def territory(place: TerritoryId) -> str:
    """A territory: "Gullstrand (A)", "the city Castleburg (P)"."""
    facts, name = TERRITORIES[place], land(place)
    if facts.city:
        return _("the city {name} ({letter})", name=name, letter=facts.letter)
    return f"{name} ({facts.letter})"


def territories(places: Iterable[TerritoryId]) -> str:
    """Territories in a list."""
    return listed([territory(place) for place in places])
