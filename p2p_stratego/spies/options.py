"""The options of SPIES!: their values, the usual one first, and their limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from p2p_stratego.core.entry import OptionField, Whole, Words
from p2p_stratego.core.language import mark

LESSON: Final = "lesson"
"""The allocation of a lesson: two powers, and decks in an order that all know."""
OPTIONS: Final = (
    OptionField("allocation", mark("who runs which powers"), Words(("standard", "alternate", "bid", LESSON))),
    OptionField("alliances", mark("whether allies lose points with each other"), Words(("no", "yes"))),
    OptionField(
        "handicap",
        mark("how two powers of one player count; none: as the box has it"),
        Words(("even", "none", "lower", "sum")),
    ),
    OptionField("purse", mark("whether all see everybody's money"), Words(("open", "secret"))),
    # Shorter than the time after which a player who is there and owes something can be called away.
    OptionField(
        "talk",
        mark("minutes of talk before the first year, half of it before each later one; 0: none"),
        Whole(0, 24, mark("a number of minutes"), usual=8),
    ),
    OptionField(
        "answer",
        mark("seconds for an answer, then the program passes; 0: no limit"),
        Whole(0, 600, mark("a number of seconds"), usual=30),
    ),
)
WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    field.name: field.values.words for field in OPTIONS if isinstance(field.values, Words)
}
"""By option that is a word: its values."""
