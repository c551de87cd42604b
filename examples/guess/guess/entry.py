"""The game as the registry lists it; `pyproject.toml` names ENTRY as an entry point."""

from __future__ import annotations

from typing import Final

from p2p_stratego.core.entry import GameEntry, Lazy, OptionField, Preset, Words
from p2p_stratego.core.language import mark

ENTRY: Final = GameEntry(
    name="guess",
    title="Guess",
    rules=Lazy("guess.rules:GAME"),
    narration=Lazy("guess.narration"),
    bots={"agent": Lazy("guess.bots:Agent")},
    about_bots={"agent": mark("guesses")},
    scenarios=Lazy("guess.scenario:play"),
    terminal=Lazy("guess.terminal:TERMINAL"),
    options=(OptionField("first", mark("who guesses"), Words(("red", "blue"))),),
    presets=(Preset(mark("Guess, two cards"), {}),),
)
