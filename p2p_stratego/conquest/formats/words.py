"""The words for pieces, cards, territories and lists of them, as they are told everywhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from p2p_stratego.conquest.rules.atlas import TERRITORIES, Place
from p2p_stratego.conquest.rules.cards import KINDS, Card
from p2p_stratego.conquest.rules.pieces import CURSED, FLAG, NAMES, SORCERESS
from p2p_stratego.core.game import Face

_NAMES: Final = {CURSED: "Cursed land", FLAG: "Flag"}
_MANY: Final = {CURSED: "Cursed lands", FLAG: "Flags", SORCERESS: "Sorceresses"}


def piece(face: Face) -> str:
    """A piece: "King (10)", "Cursed land", "Flag"."""
    return _NAMES.get(face) or f"{NAMES[face].capitalize()} ({face})"


def pieces(faces: Iterable[Face]) -> str:
    """Pieces in a list, the highest first: "King (10), 2 Scouts (2)"."""
    count = Counter(faces)
    return ", ".join(_several(face, count[face]) for face in sorted(count, reverse=True))


def _several(face: Face, count: int) -> str:
    if count == 1:
        return piece(face)
    many = _MANY.get(face) or f"{NAMES[face].capitalize()}s"
    return f"{count} {many}" if face in _NAMES else f"{count} {many} ({face})"


def card(kind: Card) -> str:
    """A card by its title."""
    return KINDS[kind].title


def cards(kinds: Iterable[Card]) -> str:
    """Cards in a list, like ones together: "2 Blitz!, Traitor"."""
    count = Counter(kinds)
    return ", ".join(
        card(kind) if count[kind] == 1 else f"{count[kind]} {card(kind)}" for kind in sorted(count)
    )


def territory(place: Place) -> str:
    """A territory: "Gullstrand (A)", "the city Castleburg (P)"."""
    named = TERRITORIES[place]
    return f"{'the city ' if named.city else ''}{named.name} ({named.letter})"


def territories(places: Iterable[Place]) -> str:
    """Territories in a list."""
    return joined([territory(place) for place in places])


def joined(words: Sequence[str]) -> str:
    """Words in a list: "a1, b2 and c3"."""
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)
