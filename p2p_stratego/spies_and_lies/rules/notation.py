"""The moves of Spies & Lies: every string that a Choose of this game can offer, and its meaning.

A move is said aloud and ends up in transcripts, so each has exactly one spelling; `parse` is for what people
type and understands more.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import combinations
from types import MappingProxyType
from typing import Final

from p2p_stratego.core.game import Move
from p2p_stratego.core.language import _
from p2p_stratego.spies_and_lies.rules.components import MISSIONS, RANKS, SOLDIERS, Mission, Rank

NO_MARKS: Final = "mark none"
LAY: Final = "token"
KEEP: Final = "no token"
CAPTAIN_POINTS: Final = "captain points"
MARSHAL_TEN: Final = "marshal ten"
MARSHAL_FIVE: Final = "marshal five"


def _mark(missions: Collection[Mission]) -> Move:
    return "mark " + "".join(map(str, missions)) if missions else NO_MARKS


MARKS: Final[Mapping[Move, frozenset[Mission]]] = MappingProxyType(
    {_mark(chosen): frozenset(chosen) for count in range(5) for chosen in combinations(MISSIONS, count)}
)
"""All 16 ways to mark one's missions: "mark none", "mark 1", … "mark 1234"."""
GUESSES: Final[Mapping[Move, Rank]] = MappingProxyType({f"guess {rank}": rank for rank in RANKS})
COPIES: Final[Mapping[Move, Rank]] = MappingProxyType({f"captain {rank}": rank for rank in RANKS})
"""The Captain uses this exhausted soldier instead of scoring."""


def mark(missions: Collection[Mission]) -> Move:
    """The move that marks exactly these missions, each 1 to 4."""
    return _mark(sorted(missions))


def missions_typed(marks: Move) -> str:
    """A move of MARKS as it is typed: "2 3", or "none"."""
    return " ".join(map(str, sorted(MARKS[marks]))) or "none"


def guess(rank: Rank) -> Move:
    """The move that names this rank, 1 to 10."""
    return f"guess {rank}"


def copy(rank: Rank) -> Move:
    """The move with which a Captain uses the owner's exhausted soldier of this rank, 1 to 10."""
    return f"captain {rank}"


class MoveError(Exception):
    """The typed text is none of the moves possible now, or more than one; the message lists them."""

    def __init__(self, text: str, options: Collection[Move]) -> None:
        self.text, self.options = text, tuple(options)
        shown = ", ".join(self.options[:4]) + (", …" if len(self.options) > 4 else "")
        super().__init__(
            _("{text!a} is not one of the moves possible now; possible: {shown}", text=text, shown=shown)
        )


_NAMED: Final = {soldier.name.lower(): str(soldier.rank) for soldier in SOLDIERS.values()}
_SHORT: Final = {
    "y": LAY,
    "yes": LAY,
    "n": KEEP,
    "no": KEEP,
    "10": MARSHAL_TEN,
    "5": MARSHAL_FIVE,
}


def parse(text: str, options: Collection[Move]) -> Move:
    """The move out of `options` that a person means by `text`.

    Understood besides the exact spelling: any case and spacing, the words after the first alone ("7", "none",
    "points"), a soldier's name for its rank, missions in any order with spaces or commas, "yes" and "no" for
    the token.  Raises MoveError.
    """
    words = text.lower().replace(",", " ").split()
    verbs = {option.split()[0] for option in options}
    rest = words[1:] if words and words[0] in verbs else words
    rest = [_NAMED.get(word, word) for word in rest]
    if "mark" in verbs and "none" not in rest:
        rest = ["".join(sorted(set("".join(rest))))]
    typed = " ".join(words)
    wanted = {typed, _SHORT.get(typed)} | {" ".join((verb, *rest)) for verb in verbs if rest}
    matches = [option for option in options if option in wanted]
    if len(matches) != 1:
        raise MoveError(text, options)
    return matches[0]
