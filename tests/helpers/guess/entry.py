"""The game in the registry."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from p2p_stratego.core.entry import GameEntry, Lazy, OptionField, Preset, Words

ENTRY: Final = GameEntry(
    name="guess",
    title="Guess",
    rules=Lazy("tests.helpers.guess.rules:GAME"),
    narration=Lazy("tests.helpers.guess.narration"),
    bots=MappingProxyType({"agent": Lazy("tests.helpers.guess.bots:Agent")}),
    about_bots=MappingProxyType({"agent": "guesses"}),
    scenarios=Lazy("tests.helpers.guess.scenario:play"),
    terminal=Lazy("tests.helpers.guess.terminal:TERMINAL"),
    options=(OptionField("first", "who guesses", Words(("red", "blue"))),),
    presets=(Preset("Guess, two cards", {}),),
)
