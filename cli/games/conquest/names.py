"""Short words of Conquest for pieces, players and zones; the game's narration tells its events."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

from cli.games.placing import NOTHING
from cli.games.typed_names import begins
from p2p_stratego.conquest.formats import words
from p2p_stratego.conquest.rules.atlas import NAMES, TERRITORIES, ZONE_NAMED, TerritoryId, Zone
from p2p_stratego.conquest.rules.cards import KINDS, Card
from p2p_stratego.conquest.rules.pieces import FACE_NAMED, PIECES
from p2p_stratego.core.game import Face
from p2p_stratego.core.language import _, _c, accented, mark_each, mark_each_c, once_a_language

LETTERS: Final = tuple(facts.letter for facts in PIECES)
"""By face, the character of a piece everywhere: X cursed land, 1 to 9 by rank, K king, F flag."""
SHORT: Final = ("Crs", "Spy", "Sct", "Src", "Brn", "Kgt", "Cnt", "Duk", "Prc", "Qun", "Kng", "Flg")
"""By face, the name on a piece of the map, in three cells."""
_SHOWN: Final = mark_each("Crs, Spy, Sct, Src, Brn, Kgt, Cnt, Duk, Prc, Qun, Kng, Flg")
"""The same as they are shown; a longer word is cut."""
_CARDS: Final = mark_each_c(
    "a card in one short word", "blitz, regroup, reinforce, secret, surprise, new spy, traitor"
)
"""By card, a short name for a narrow panel."""
ORDER: Final[tuple[Face, ...]] = (10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 11)
"""Faces as they are listed: by rank, then what never moves."""
SIGNS: Final = "RBGY"
"""By seat, the letter that stands for its colour."""
ZONE: Final = r"[a-l][1-6](?![0-9])"
"""A zone's name, as a regular expression."""
_ZONE: Final = re.compile(ZONE)


def short(face: Face) -> str:
    """The name of a piece in three cells: "Kng"."""
    return f"{_(_SHOWN[face])[:3]:<3}"


def short_card(card: Card) -> str:
    """The name of a card in one short word: "secret"."""
    return _c("a card in one short word", _CARDS[card])


def face_called(word: str) -> list[Face]:
    """The faces that a word can mean: a letter, a number, a short name, a name, or the beginning of one."""
    typed = word.lower()
    if typed in _FACES:
        return [_FACES[typed]]
    return [face for name, face in FACE_NAMED.items() if typed and begins((name, words.named(face)), typed)]


_FACES: Final[dict[str, Face]] = {
    **FACE_NAMED,
    **{short.lower(): face for face, short in enumerate(SHORT)},
    **{letter.lower(): face for face, letter in enumerate(LETTERS)},
    "10": FACE_NAMED["king"],
    "0": FACE_NAMED["cursed"],
}
"""By name, short name, letter or number, all in lower case."""


@accented()
@once_a_language
def names() -> dict[str, tuple[str, ...]]:
    """The names of pieces, cards and territories as they are shown, by every word that is read as a thing."""
    lands = {territory.name.lower(): (words.land(place),) for place, territory in enumerate(TERRITORIES)}
    return {
        **lands,
        **_pieces(),
        **{kind.name: (words.card(card), short_card(card)) for card, kind in enumerate(KINDS)},
    }


def _pieces() -> dict[str, tuple[str, ...]]:
    by_word: dict[str, tuple[str, ...]] = dict.fromkeys((*_FACES, *NOTHING), ())
    for name, face in FACE_NAMED.items():
        by_word[name] = (words.named(face), short(face).strip())
    return by_word


def names_piece(beginning: str) -> bool:
    """Whether a word for a piece, or for none, begins like this."""
    return any(begins((word, *shown), beginning) for word, shown in _pieces().items())


def zones_in(text: str) -> list[Zone]:
    """All zones that are named in a text, in order."""
    return [ZONE_NAMED[name] for name in _ZONE.findall(text.lower())]


def misspelt(text: str) -> bool:
    """Whether a letter or digit stands right before the first zone named in a text, or behind the last: a
    slip, as in "xd3d4".
    """
    spans = [match.span() for match in _ZONE.finditer(text.lower())]
    edges = text[: spans[0][0]][-1:] + text[spans[-1][1] :][:1] if spans else ""
    return any(map(str.isalnum, edges))


def zone(at: Zone) -> str:
    """The name of a zone."""
    return NAMES[at]


def piece(face: Face) -> str:
    """A piece as all sentences name it: "Queen (9)", "Flag", "Cursed land"."""
    return words.piece(face)


def territory(place: TerritoryId) -> str:
    """A territory in a list: "B North Hold (city)"."""
    return f"{TERRITORIES[place].letter} {with_city(place)}"


def with_city(place: TerritoryId) -> str:
    """A territory, and whether it has a city: "North Hold (city)"."""
    name = words.land(place)
    return _("{name} (city)", name=name) if TERRITORIES[place].city else name


def cards_called(typed: str) -> list[Card]:
    """The kinds of cards whose names begin like this."""
    return [
        card
        for card, kind in enumerate(KINDS)
        if begins((kind.name, kind.title, words.card(card), short_card(card)), typed)
    ]


def lands_called(typed: str) -> list[TerritoryId]:
    """The territories whose names begin like this."""
    return [
        place
        for place, territory in enumerate(TERRITORIES)
        if begins((territory.name, words.land(place)), typed)
    ]


def grouped(faces: Iterable[Face]) -> str:
    """Pieces by their letters, the highest first, several of a kind as one: "K 3×2 C"."""
    count = Counter(faces)
    return " ".join(
        LETTERS[face] + (f"×{count[face]}" if count[face] > 1 else "") for face in ORDER if count[face]
    )
