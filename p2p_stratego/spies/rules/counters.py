"""The counters: powers and their means, spies, secrets, chits with their prices; all house values.

Faces: spies 0 to 3 in the order of their strength, the cousin 4; police and genuine secrets their value,
counterspies their strength and 10; chits 0 to 8.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from p2p_stratego.core.game import Face

Chit: TypeAlias = Face
"""0 (discovery) to 8 (intercept)."""


class Means(NamedTuple):
    """The means with which a power begins."""

    money: int
    secrets: int
    police: tuple[int, ...]
    """Strengths."""
    chits: int
    multiples: tuple[int, ...]
    """By year from 1933: the multiple of a value on the record."""
    spies: tuple[str, ...]
    """Names, the strongest first; the cousin comes on top."""


MEANS: Final[tuple[Means, ...]] = (
    Means(20, 7, (4, 3, 3, 2, 2, 1), 5, (1, 2, 3, 3, 4, 3, 2), ("falke", "dorn", "kessel", "linde")),
    Means(20, 6, (3, 3, 2, 2, 1), 5, (3, 4, 5, 4, 4, 3, 2), ("aquila", "brio", "corvo", "dama")),
    Means(20, 6, (4, 3, 3, 2, 2, 1), 5, (2, 2, 3, 4, 5, 3, 2), ("volk", "iskra", "grom", "sova")),
    Means(20, 6, (4, 3, 2, 2, 1), 5, (1, 3, 3, 4, 4, 3, 2), ("renard", "brume", "cygne", "merle")),
    Means(20, 7, (4, 3, 2, 2, 1), 5, (1, 2, 3, 4, 5, 3, 2), ("heron", "flint", "sable", "wren")),
)
FIRST_YEAR: Final = 1933
LAST_YEAR: Final = 1939
ACTION_POINTS: Final = 12
SPACES: Final = 5
"""A spy moves so many a turn at most."""
ABROAD: Final = 4
"""Spies outside one's own territory at the start, at most."""
HAND: Final = 10
A_CITY: Final = 2
"""Police in a city, at most."""

STRENGTHS: Final = (5, 4, 3, 2, 3)
"""Of spies, by face."""
COUSIN: Final[Face] = 4
SPIES: Final = len(STRENGTHS)
"""Of a power."""
SPY_FACES: Final[tuple[Face, ...]] = tuple(range(SPIES))


def spy_names(power: int) -> tuple[str, ...]:
    """The names of a power's spies, by face."""
    return (*MEANS[power].spies, "cousin")


_SECRETS: Final = {"s1": 8, "s2": 8, "s3": 8, "s4": 5, "s5": 3, "c2": 2, "c3": 2, "c4": 2, "c5": 1, "c6": 1}
SECRET_FACE: Final[dict[str, Face]] = {name: int(name[1]) + 10 * (name[0] == "c") for name in _SECRETS}
SECRET_NAME: Final[dict[Face, str]] = {face: name for name, face in SECRET_FACE.items()}
ALL_SECRETS: Final[tuple[Face, ...]] = tuple(
    SECRET_FACE[name] for name, copies in _SECRETS.items() for _ in range(copies)
)
GENUINE: Final[frozenset[Face]] = frozenset(range(1, 6))
COUNTERSPIES: Final[frozenset[Face]] = frozenset(range(12, 17))


def value(face: Face) -> int:
    """The value of a secret; of a counterspy that is its strength."""
    return face % 10


class Kind(NamedTuple):
    """A kind of chit."""

    name: str
    copies: int
    pounds: int
    points: int
    """Action points, in one's own turn only."""


KINDS: Final[tuple[Kind, ...]] = (
    Kind("discovery", 20, 4, 2),
    Kind("sanction", 8, 5, 3),
    Kind("drop", 6, 2, 1),
    Kind("recruit", 4, 4, 2),
    Kind("escape", 8, 3, 1),
    Kind("papers", 14, 1, 1),
    Kind("cover", 8, 2, 1),
    Kind("double-cross", 8, 3, 1),
    Kind("intercept", 4, 2, 0),
)
DISCOVERY, SANCTION, DROP, RECRUIT, ESCAPE, PAPERS, COVER, DOUBLE_CROSS, INTERCEPT = range(9)
CHIT_NAMES: Final[tuple[str, ...]] = tuple(kind.name for kind in KINDS)
ALL_CHITS: Final[tuple[Chit, ...]] = tuple(
    chit for chit, kind in enumerate(KINDS) for _ in range(kind.copies)
)

IN_ORDER: Final[tuple[tuple[Face, ...], tuple[Chit, ...]]] = (
    (2, 13, 1, 3, 12, 4, 2, *(1, 1, 1, 2, 2, 3), *(1, 1, 2, 2, 3, 3), 5, 3, 13, 2, 4, 1),
    (
        *(DISCOVERY, PAPERS, DISCOVERY, PAPERS, ESCAPE, PAPERS, PAPERS, ESCAPE, DISCOVERY, PAPERS),
        *(COVER, SANCTION, PAPERS, DROP, DOUBLE_CROSS, RECRUIT),
    ),
)
"""The first secrets and chits, where nothing is shuffled: the rest follows as it stands."""


def ordered(first: Sequence[Face], every: Sequence[Face]) -> tuple[Face, ...]:
    """All cards of a deck, `first` on its top."""
    left = list(every)
    for face in first:
        left.remove(face)
    return (*first, *left)


REWARD: Final = 3
"""Pounds for a captured spy; and a chit."""
CASH: Final = 20
"""Pounds for a foreign secret brought home; and a chit."""
MARKER: Final = 2
"""The value of a spy killed."""
A_TILE: Final = 2
"""Points for a coloured tile played."""
DISGRACE: Final = 20
"""Points that a beaten alliance costs."""
