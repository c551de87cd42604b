"""Conquest Stratego in the registry."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from p2p_stratego.conquest.rules.options import OPTIONS
from p2p_stratego.core.entry import GameEntry, Lazy, Preset
from p2p_stratego.core.language import mark

ENTRY: Final = GameEntry(
    name="conquest",
    title="Conquest",
    about=mark("armies face down on a map, and cards to play"),
    rules=Lazy("p2p_stratego.conquest.rules.game:GAME"),
    narration=Lazy("p2p_stratego.conquest.formats.narration"),
    moment=Lazy("p2p_stratego.conquest.formats.narration:moment"),
    bots=MappingProxyType(
        {
            "agent": Lazy("p2p_stratego.conquest.bots.agent:Agent"),
            "strategist": Lazy("p2p_stratego.conquest.bots.strategist:Strategist"),
            "quartermaster": Lazy("p2p_stratego.conquest.bots.agent:QUARTERMASTER"),
            "diplomat": Lazy("p2p_stratego.conquest.bots.agent:DIPLOMAT"),
            "gambler": Lazy("p2p_stratego.conquest.bots.agent:GAMBLER"),
            "cadet": Lazy("p2p_stratego.conquest.bots.agent:CADET"),
            "recruit": Lazy("p2p_stratego.conquest.bots.recruit:Recruit"),
        }
    ),
    about_bots=MappingProxyType(
        {
            "agent": mark("it weighs what every piece can be, takes cities and guards its flag"),
            "strategist": mark("it chooses its land with care, and counts the moves to your flag"),
            "quartermaster": mark("it stays around its flag, and fights what comes near"),
            "diplomat": mark("it gathers land and cities, and attacks only what it surely beats"),
            "gambler": mark("it runs for the flags, and leaves nobody at home"),
            "cadet": mark("it goes where it likes, sees no danger, and forgets its cards"),
            "recruit": mark("it makes any choice that the rules allow"),
        }
    ),
    adviser=Lazy("p2p_stratego.conquest.bots.agent:ADVISER"),
    scenarios=Lazy("p2p_stratego.conquest.formats.scenario:play"),
    terminal=Lazy("cli.games.conquest.terminal:TERMINAL"),
    options=OPTIONS,
    page=True,
    presets=(
        Preset(mark("Conquest"), {}, 20),
        Preset(mark("Conquest, a piece in each territory"), {"garrison": "all"}, 20),
        Preset(mark("Conquest, 30 rounds"), {"rounds": 30}, 20),
    ),
    openings=Lazy("p2p_stratego.conquest.formats.openings:OPENINGS"),
    analysis=Lazy("p2p_stratego.conquest.bots.analysis"),
    lesson=Lazy("p2p_stratego.conquest.lessons.lesson:LESSON"),
    why=Lazy("p2p_stratego.conquest.lessons.advice:why"),
    advice=Lazy("p2p_stratego.conquest.lessons.advice:advise"),
)
