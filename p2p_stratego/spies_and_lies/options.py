"""The options of Spies & Lies: their values, the usual one first, and their limits."""

from __future__ import annotations

from typing import Final

from p2p_stratego.core.entry import OptionField, Whole, Words
from p2p_stratego.core.language import mark

WALL: Final = Whole(2, 8, mark("a distance"), usual=4)
RANDOM: Final = "random"
STARTER: Final = Words((RANDOM, "red", "blue"))
OPTIONS: Final = (
    OptionField("wall", mark("steps from the start to each wall, {least} to {most}"), WALL),
    OptionField("starter", mark("who guesses first on day 1"), STARTER),
)
