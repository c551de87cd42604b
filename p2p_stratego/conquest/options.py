"""The options of Conquest Stratego: their values, the usual one first, and their limits."""

from __future__ import annotations

from typing import Final

from p2p_stratego.core.entry import OptionField, Whole, Words
from p2p_stratego.core.language import mark

GARRISON: Final = Words(("free", "all"))
SCOUT: Final = Words(("run", "charge"))
ROUNDS: Final = Whole(1, 250, mark("a number of rounds"), usual=100)
OPTIONS: Final = (
    OptionField("garrison", mark("free: own territories may start empty; all: each gets a piece"), GARRISON),
    OptionField("scout", mark("whether a scout's run may end with an attack: charge, or not: run"), SCOUT),
    OptionField("rounds", mark("rounds after which the game is ranked, {least} to {most}"), ROUNDS),
)
