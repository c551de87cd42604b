"""The game as the registry lists it."""

from __future__ import annotations

from typing import Final

from p2p_stratego.core.entry import GameEntry, Lazy, OptionField, Preset, Whole, Words
from p2p_stratego.core.language import mark

ENTRY: Final = GameEntry(
    name="liars-dice",
    title="Liar's Dice",
    rules=Lazy("liars_dice.rules:GAME"),
    narration=Lazy("liars_dice.words"),
    moment=Lazy("liars_dice.words:moment"),
    bots={"agent": Lazy("liars_dice.bots:Agent"), "recruit": Lazy("liars_dice.bots:Recruit")},
    about_bots={
        "agent": mark("it counts what is likely, and bluffs now and then"),
        "recruit": mark("it says anything that the rules allow"),
    },
    terminal=Lazy("liars_dice.terminal:TERMINAL"),
    options=(
        OptionField("dice", mark("dice each at the beginning"), Whole(1, 5, mark("a number of dice"))),
        OptionField("ones", mark("whether a one counts as every face"), Words(("wild", "plain"))),
    ),
    presets=(
        Preset(mark("Liar's Dice, five dice each"), {}),
        Preset(mark("Liar's Dice, three dice each"), {"dice": 3}),
    ),
)
