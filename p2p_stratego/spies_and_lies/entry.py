"""Spies & Lies in the registry."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from p2p_stratego.core.entry import GameEntry, Lazy, Preset
from p2p_stratego.core.language import mark
from p2p_stratego.spies_and_lies.rules.options import OPTIONS

ENTRY: Final = GameEntry(
    name="spies-and-lies",
    title=mark("Spies & Lies"),
    about=mark("guess who lies where, and lie about your own"),
    rules=Lazy("p2p_stratego.spies_and_lies.rules.game:GAME"),
    narration=Lazy("p2p_stratego.spies_and_lies.formats.narration"),
    standing=Lazy("p2p_stratego.spies_and_lies.formats.narration:standing"),
    tallying=Lazy("p2p_stratego.spies_and_lies.bots.tally:TALLYING"),
    moment=Lazy("p2p_stratego.spies_and_lies.formats.narration:moment"),
    openings=Lazy("p2p_stratego.spies_and_lies.formats.openings:OPENINGS"),
    analysis=Lazy("p2p_stratego.spies_and_lies.bots.analysis"),
    bots=MappingProxyType(
        {
            "agent": Lazy("p2p_stratego.spies_and_lies.bots.agent:Agent"),
            "adaptive": Lazy("p2p_stratego.spies_and_lies.bots.adaptive:Adaptive"),
            "equilibrium": Lazy("p2p_stratego.spies_and_lies.bots.equilibrium:Equilibrium"),
            "quartermaster": Lazy("p2p_stratego.spies_and_lies.bots.agent:QUARTERMASTER"),
            "diplomat": Lazy("p2p_stratego.spies_and_lies.bots.agent:DIPLOMAT"),
            "gambler": Lazy("p2p_stratego.spies_and_lies.bots.agent:GAMBLER"),
            "cadet": Lazy("p2p_stratego.spies_and_lies.bots.agent:CADET"),
            "recruit": Lazy("p2p_stratego.spies_and_lies.bots.recruit:Recruit"),
        }
    ),
    about_bots=MappingProxyType(
        {
            "agent": mark("it works out what every card can still be"),
            "adaptive": mark("nobody can read it, and it learns to read you"),
            "equilibrium": mark("it mixes its choices so that nobody can read it"),
            "quartermaster": mark("it names whatever is likeliest, keeps its tokens, and trusts low ranks"),
            "diplomat": mark("it lays no token, believes every mark, and never thinks of a Sergeant"),
            "gambler": mark(
                "it names the soldiers that cost most, lays tokens at once, and loves high ranks"
            ),
            "cadet": mark("it forgets its tokens, all marks, and which soldier has to rest"),
            "recruit": mark("it makes any choice that the rules allow"),
        }
    ),
    adviser=Lazy("p2p_stratego.spies_and_lies.bots.agent:ADVISER"),
    scenarios=Lazy("p2p_stratego.spies_and_lies.formats.scenario:play"),
    terminal=Lazy("cli.games.spies_and_lies.terminal:TERMINAL"),
    options=OPTIONS,
    page=True,
    presets=(Preset(mark("Spies & Lies"), {}, 15),),
    lesson=Lazy("p2p_stratego.spies_and_lies.lessons.lesson:LESSON"),
    later_lessons=(
        (mark("Bluffing with marks"), Lazy("p2p_stratego.spies_and_lies.lessons.days:MARKS")),
        (mark("Reading an opponent"), Lazy("p2p_stratego.spies_and_lies.lessons.days:READING")),
        (mark("When to lay a token"), Lazy("p2p_stratego.spies_and_lies.lessons.days:TOKEN")),
        (mark("The guess that wins"), Lazy("p2p_stratego.spies_and_lies.lessons.days:WINNING")),
    ),
    advice=Lazy("p2p_stratego.spies_and_lies.lessons.advice:advise"),
    puzzles=Lazy("p2p_stratego.spies_and_lies.lessons.puzzles"),
    why=Lazy("p2p_stratego.spies_and_lies.lessons.advice:why"),
)
