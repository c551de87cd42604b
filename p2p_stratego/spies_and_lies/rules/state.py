"""The public state of Spies & Lies between two steps: one frozen value.

Pairs are indexed by side: `[0]` is red's, `[1]` is blue's.  It holds no hidden thing: a closed card is
None.  This module only names; it decides nothing.

Every replay of a game makes some thirty states and reads a thousand of their fields: from slots, which take a
quarter of the time of a named tuple's.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias, TypeVar

from p2p_stratego.core.game import Outcome, Seat, Slot
from p2p_stratego.core.values import frozen
from p2p_stratego.spies_and_lies.rules.components import RED, IntelRange, Mission, Rank, Side
from p2p_stratego.spies_and_lies.rules.seating import Seating

T = TypeVar("T")

Phase: TypeAlias = Literal["deploy", "look", "intel", "mission", "night", "over"]
"""The step that `turn()` plays next: both sides deploy; second mates look and lay (never with two players);
intel and marks; one guess; exhaustion; none."""

Result: TypeAlias = Literal[
    "counted",
    "incorrect-order",
    "incorrect-intel",
    "identified",
    "retreated",
    "activated",
    "impossible",
    "opened",
]
"""The first six are the table of a turn.  `impossible`: the card could not have been there, and its owner has
lost.  `opened`: shown by the winner after the flag was taken, without a guess."""

COUNTS_AS_IDENTIFIED: Final[frozenset[Result]] = frozenset(
    ("counted", "incorrect-order", "incorrect-intel", "identified")
)

EffectKind: TypeAlias = Literal[
    "blasted",
    "undone",
    "zeroed",
    "points",
    "infiltrated",
    "agent",
    "wall",
    "flag",
    "token",
    "in force",
    "blast",
    "copied",
    "in vain",
    "lost",
    "double",
]


class Effect(NamedTuple):
    """One thing that happened within a mission turn, in the order of play.

    | kind | side | amount |
    |---|---|---|
    | blasted | whose waiting blast this guess used up | 0 |
    | undone | whose moves of today were taken back | steps the agent went back, ≥ 1 |
    | zeroed | whose marker fell to 0 as a punishment | points lost, ≥ 1 |
    | points | who scored | points, before the marker wraps, ≥ 1 |
    | infiltrated | whose marker reached 10 | points kept by the Colonel, 0 to 7 |
    | agent | who pushed | steps made, ≥ 1 |
    | wall | who stands on the enemy wall and has to stop there | steps lost, ≥ 0 |
    | flag | who took the enemy's flag | 0 |
    | token | who won a deception token | 1 |
    | in force | whose soldier stays in force today | its rank |
    | blast | whose next guess will meet a blast | 0 |
    | copied | whose Captain used an exhausted soldier | its rank |
    | in vain | whose copied soldier retreated without effect | its rank |
    | lost | who lost points to a Marshal | points, 1 to 5 |
    | double | who exhausts two soldiers tomorrow | 2 |
    """

    kind: EffectKind
    side: Side
    amount: int


class Shown(NamedTuple):
    """A card of today that is face up, and how it came to be."""

    rank: Rank
    result: Result


Deployment: TypeAlias = tuple[Rank, Rank, Rank, Rank]
"""A side's four soldiers of a day, [0] under mission 1."""
CardLine: TypeAlias = tuple[Shown | None, Shown | None, Shown | None, Shown | None]
"""A side's four missions of today, [0] is mission 1; None: face down."""
NO_LINE: Final[CardLine] = (None, None, None, None)
NO_MARKS: Final[tuple[frozenset[Mission], frozenset[Mission]]] = (frozenset(), frozenset())
Closed: TypeAlias = tuple[frozenset[Mission], frozenset[Mission]]
"""By side, the missions whose card of today stays face down for good."""
NONE_CLOSED: Final[Closed] = (frozenset(), frozenset())


@frozen
class Report:
    """The results of one mission turn."""

    day: int
    """1 to 3."""
    turn: int
    """1 to 8, within the day."""
    guesser: Side
    mission: Mission
    """The other side's mission whose card was turned up, or stays closed for good."""
    guess: Rank | None
    """None: the card was counted, nobody had to guess."""
    token: bool
    """Whether the card's owner had laid a deception token on it."""
    marked: bool
    """Whether the card's owner had marked the mission."""
    soldier: Rank | None
    """None: the card stays face down, since the seat that laid it is gone."""
    result: Result
    effects: tuple[Effect, ...]
    """In order of play; empty for an impossible card and for a soldier that retreated without a token."""
    points: tuple[int, int]
    """After the turn, 0 to 9."""
    agent: int
    """After the turn."""
    tokens: tuple[int, int]
    """After the turn."""
    guessing: Seat
    """The seat that guessed, or would have guessed, if nobody had to."""
    owning: Seat
    """The seat that laid the card."""

    @property
    def owner(self) -> Side:
        return 1 - self.guesser

    @property
    def paid_for_token(self) -> int | None:
        """The index of the effect with the points for the deception token; None: the token scored nothing."""
        if not self.token or self.result in COUNTS_AS_IDENTIFIED:
            return None
        return max((at for at, effect in enumerate(self.effects) if effect.kind == "points"), default=None)


@frozen
class State:
    """Everything public between two steps of the game.

    The values that are empty at the start of a day have defaults.
    """

    seating: Seating
    """Who plays, and who is gone."""
    wall: int
    """Steps from the middle to either wall, 2 to 8; the flag is one step behind."""
    first_starter: Side
    """Who guesses first on days 1 and 3."""
    phase: Phase
    day: int
    """1 to 3."""
    turn: int
    """Mission turns played out today: 0 to 7 before a guess, 8 at night and after day 3.  A turn that an
    impossible card ended is not counted."""
    starter: Side
    """Who guesses first today."""
    agent: int
    """0 in the middle, positive toward blue's fort; −wall to wall, one more once a flag is taken."""
    points: tuple[int, int]
    """The infiltration markers, 0 to 9."""
    tokens: tuple[int, int]
    """Deception tokens held, 0 to 2."""
    spare: int
    """Deception tokens that a Spy can still win, 0 to 2."""
    intel: tuple[IntelRange, ...]
    """Cards turned up so far, oldest first: [0] is the old intel from before day 1, [day] is today's
    (missing until the intel phase of the day has been played)."""
    exhausted: tuple[tuple[Rank, ...], tuple[Rank, ...]]
    """The one or two soldiers that each side cannot deploy today, ranks ascending; fewer after a night before
    which fewer cards of the side were open."""
    marks: tuple[frozenset[Mission], frozenset[Mission]] = NO_MARKS
    """The missions each side says lie in the range of today's intel; empty until the intel phase is over."""
    cards: tuple[CardLine, CardLine] = (NO_LINE, NO_LINE)
    """Today's cards."""
    active: tuple[frozenset[Rank], frozenset[Rank]] = (frozenset(), frozenset())
    """Each side's Spy, Scout and Miner that are in force for the rest of the day."""
    blast: tuple[bool, bool] = (False, False)
    """[s]: s's Bomb went off, and s's next guess of today will use the blast up."""
    caught: tuple[bool, bool] = (False, False)
    """[s]: s was caught out of order today, so all further cards of s are counted."""
    double: tuple[bool, bool] = (False, False)
    """[s]: two soldiers of s instead of one are exhausted tonight; never on the last day."""
    closed: Closed = NONE_CLOSED
    """[s]: missions of s whose card stays face down, because the seat that laid it is gone: such a card
    counts as identified, and no order and no mark is judged by it."""
    moved: tuple[int, int] = (0, 0)
    """[s]: steps that s has pushed the agent today in its own direction, ≥ 0; an undo takes them back."""
    report: Report | None = None
    """The report of the mission turn that led to this state; None if another kind of step led here."""
    ended: Outcome | None = None
    """How the game ended; set exactly when the phase is "over"."""

    @property
    def guesser(self) -> Side:
        """Who guesses in the coming mission turn."""
        return self.starter if self.turn % 2 == 0 else 1 - self.starter

    @property
    def mission(self) -> Mission:
        """The mission that is guessed in the coming mission turn."""
        return self.turn // 2 + 1


def with_side(pair: tuple[T, T], side: Side, value: T) -> tuple[T, T]:
    """The pair with another value for `side`."""
    return (value, pair[1]) if side == RED else (pair[0], value)


def slot(day: int, side: Side, mission: Mission) -> Slot:
    """The name of a hidden card, 0 to 23: every day has its own, for slots are never used twice."""
    return (day - 1) * 8 + side * 4 + (mission - 1)


def place(name: Slot) -> tuple[int, Side, Mission]:
    """The day, side and mission of a slot; the inverse of `slot`."""
    day, rest = divmod(name, 8)
    side, mission = divmod(rest, 4)
    return day + 1, side, mission + 1
