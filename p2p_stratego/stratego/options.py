"""The options of Stratego: their values, the usual one first, and their limits."""

from __future__ import annotations

from typing import Final

from p2p_stratego.core.entry import Lazy, OptionField, Text, Whole, Words
from p2p_stratego.core.language import mark

ARMY: Final = Text(
    "ARMY",
    ("quickplay", "classic", "barrage", "duel"),
    Lazy("p2p_stratego.stratego.formats.army_file:option"),
    usual="quickplay",
)
FIRST: Final = Words(("red", "blue"))
QUIET: Final = Whole(0, 1000, mark("a number of moves"), usual=200)
TOURNAMENT: Final = "tournament"
SHUTTLE: Final = Words(("letter", TOURNAMENT))
"""How strictly going back and forth is forbidden: as the rule text has it, or as tournaments have it."""
OPTIONS: Final = (
    OptionField(
        "army",
        mark("quickplay, classic, barrage, duel, or a file with an army of your own"),
        ARMY,
        of_setups=True,
    ),
    OptionField("first", mark("who moves first"), FIRST),
    OptionField("quiet", mark("moves without an attack after which it is a draw; 0: never"), QUIET),
    OptionField(
        "shuttle",
        mark("going back and forth: by the letter of the rules, or stricter for scouts, as at tournaments"),
        SHUTTLE,
    ),
)
