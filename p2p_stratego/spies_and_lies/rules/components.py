"""The components of Spies & Lies as tables: soldiers, intel cards, tokens, lengths of tracks.

This module holds the numbers of all rules and no decision, so that a variant of the game is another table.
Sources: the chart of the rule text, and the house values in spec/spies-and-lies.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeAlias

from p2p_stratego.core.game import Face
from p2p_stratego.core.language import _c, mark, mark_each_c

Side: TypeAlias = int
"""RED or BLUE: the players who share ten soldiers, points and tokens.  Pairs are indexed by side."""
Rank: TypeAlias = Face
"""A soldier's rank, 1 (Spy) to 10 (Marshal); it is also the face of a soldier's card."""
Mission: TypeAlias = int
"""1 to 4."""
IntelRange: TypeAlias = tuple[Rank, Rank]
"""The lowest and the highest rank that an intel card asks to be marked."""

RED: Final[Side] = 0
BLUE: Final[Side] = 1
SIDES: Final = (RED, BLUE)
SIDE_NAMES: Final = ("red", "blue")
FORWARD: Final = (1, -1)
"""The direction in which each side pushes the agent: red up, toward blue's fort, and blue down."""

DAYS: Final = 3
MISSIONS: Final[tuple[Mission, ...]] = (1, 2, 3, 4)
TURNS: Final = 8
"""Mission turns in a day: each side guesses each of the other's four missions."""

INFILTRATION: Final = 10
"""Points at which the marker returns to 0 and the agent moves as many steps as the day's number."""
IDENTIFICATION: Final = 2
IDENTIFICATION_WITH_SCOUT: Final = 4
DECEPTION: Final = 4
"""Points for a deception token whose card was not identified."""
RAID: Final = 5
"""The Marshal's other choice: so many points, and the enemy loses as many."""

TOKENS: Final = 4
TOKENS_AT_START: Final = 1
TOKENS_HELD_AT_MOST: Final = 2


INTEL_DECK: Final[tuple[IntelRange, ...]] = ((1, 4), (1, 4), (4, 7), (4, 7), (7, 10), (7, 10))

SPY, SCOUT, MINER, SERGEANT, LIEUTENANT, CAPTAIN, BOMB, COLONEL, GENERAL, MARSHAL = range(1, 11)
RANKS: Final[tuple[Rank, ...]] = tuple(range(SPY, MARSHAL + 1))


@dataclass(frozen=True, slots=True)
class Soldier:
    """One line of the chart: the gains of a soldier's owner when it is activated."""

    rank: Rank
    ability: str
    """The ability in one line of English, for screens."""
    points: int = 0
    keeps_excess: bool = False
    """Points beyond 10 stay on the marker."""
    steps: int = 0
    """Steps of the agent toward the enemy's fort."""
    wins_token: bool = False
    lasts: bool = False
    """Stays in force for the rest of the day."""
    blast: bool = False
    """Its owner's next turn as guesser meets a blast."""
    yields_to: Rank | None = None
    """The enemy soldier in whose presence (in force) this one retreats."""
    chooses: bool = False
    """Its owner chooses between two uses."""
    free: bool = False
    """May stand anywhere in the line, and be marked or not."""

    @property
    def name(self) -> str:
        """The name in English, to be translated as a soldier's."""
        return _NAMES[self.rank - SPY]


_NAMES: Final = mark_each_c(
    "soldier", "Spy, Scout, Miner, Sergeant, Lieutenant, Captain, Bomb, Colonel, General, Marshal"
)
_CHART: Final = (
    Soldier(
        SPY,
        mark("1 point and a deception token; today enemy Marshals retreat"),
        points=1,
        wins_token=True,
        lasts=True,
    ),
    Soldier(SCOUT, mark("2 points, and right guesses pay 4 for the rest of the day"), points=2, lasts=True),
    Soldier(MINER, mark("3 points; today enemy Bombs retreat"), points=3, lasts=True),
    Soldier(SERGEANT, mark("4 points; may stand anywhere, and be marked or not"), points=4, free=True),
    Soldier(LIEUTENANT, mark("the agent moves 1 step"), steps=1),
    Soldier(
        CAPTAIN, mark("6 points, or the ability of one of your exhausted soldiers"), points=6, chooses=True
    ),
    Soldier(
        BOMB,
        mark("a blast at your next guess today: the card retreats or, identified, costs two soldiers"),
        blast=True,
        yields_to=MINER,
    ),
    Soldier(COLONEL, mark("8 points, and what goes over 10 is kept"), points=8, keeps_excess=True),
    Soldier(GENERAL, mark("the agent moves 2 steps"), steps=2),
    Soldier(
        MARSHAL,
        mark("10 points, or 5 while the enemy loses 5"),
        points=10,
        yields_to=SPY,
        chooses=True,
    ),
)
SOLDIERS: Final[Mapping[Rank, Soldier]] = MappingProxyType({soldier.rank: soldier for soldier in _CHART})


def title(rank: Rank) -> str:
    """A soldier's title as the box prints it in the player's language: each game of Stratego has its own."""
    return _c("soldier", SOLDIERS[rank].name)


def in_range(rank: Rank, intel: IntelRange) -> bool:
    """Whether an intel card asks for a mark on the mission of this soldier."""
    return intel[0] <= rank <= intel[1]
