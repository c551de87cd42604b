"""SPIES! in the registry."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from p2p_stratego.core.entry import GameEntry, Lazy, Preset
from p2p_stratego.core.language import mark
from p2p_stratego.spies.rules.options import OPTIONS

ENTRY: Final = GameEntry(
    name="spies",
    title=mark("SPIES!"),
    about=mark("carry secrets home across Europe, year by year"),
    rules=Lazy("p2p_stratego.spies.rules.game:GAME"),
    narration=Lazy("p2p_stratego.spies.formats.narration"),
    moment=Lazy("p2p_stratego.spies.formats.narration:moment"),
    bots=MappingProxyType(
        {
            "agent": Lazy("p2p_stratego.spies.bots.agent:Agent"),
            "spymaster": Lazy("p2p_stratego.spies.bots.agent:SPYMASTER"),
            "quartermaster": Lazy("p2p_stratego.spies.bots.agent:QUARTERMASTER"),
            "diplomat": Lazy("p2p_stratego.spies.bots.agent:DIPLOMAT"),
            "gambler": Lazy("p2p_stratego.spies.bots.agent:GAMBLER"),
            "cadet": Lazy("p2p_stratego.spies.bots.agent:CADET"),
            "recruit": Lazy("p2p_stratego.spies.bots.recruit:Recruit"),
        }
    ),
    about_bots=MappingProxyType(
        {
            "agent": mark("it plans raids by rail, air and sea, hunts spies, bids and bargains"),
            "spymaster": mark("it goes first where hiding is best, and expects traps in the open"),
            "quartermaster": mark("it goes on few raids, hoards its chits, and keeps its spies safe"),
            "diplomat": mark("it buys what you offer, and searches nobody of its own accord"),
            "gambler": mark("it sends its spies anywhere, spends every chit, and searches all the time"),
            "cadet": mark("it likes a plan by its looks, and never searches"),
            "recruit": mark("it makes any choice that the rules allow"),
        }
    ),
    adviser=Lazy("p2p_stratego.spies.bots.agent:Agent"),
    scenarios=Lazy("p2p_stratego.spies.formats.scenario:play"),
    terminal=Lazy("cli.games.spies.terminal:TERMINAL"),
    page=True,
    options=OPTIONS,
    presets=(
        Preset(mark("SPIES!"), {}, 200),
        Preset(mark("SPIES!, Russia by bidding"), {"allocation": "bid"}, 200),
        Preset(mark("SPIES!, secret purses"), {"purse": "secret"}, 200),
        Preset(mark("SPIES!, alliances"), {"alliances": "yes"}, 200),
    ),
    openings=Lazy("p2p_stratego.spies.formats.openings:OPENINGS"),
    analysis=Lazy("p2p_stratego.spies.bots.analysis"),
    lesson=Lazy("p2p_stratego.spies.lessons.lesson:LESSON"),
    advice=Lazy("p2p_stratego.spies.lessons.advice:advise"),
    why=Lazy("p2p_stratego.spies.lessons.reasons:why"),
    seats=Lazy("p2p_stratego.spies.formats.narration:countries"),
    unfolding=Lazy("p2p_stratego.spies.formats.narration:Unfolding"),
)
