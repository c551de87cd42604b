"""Stratego in the registry."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from p2p_stratego.core.entry import GameEntry, Lazy, Preset
from p2p_stratego.core.language import mark
from p2p_stratego.stratego.rules.options import OPTIONS

ENTRY: Final = GameEntry(
    name="stratego",
    title="Stratego",
    about=mark("hide your flag, and find the other one"),
    rules=Lazy("p2p_stratego.stratego.rules.game:GAME"),
    narration=Lazy("p2p_stratego.stratego.formats.narration"),
    tallying=Lazy("p2p_stratego.stratego.formats.tally:TALLYING"),
    moment=Lazy("p2p_stratego.stratego.formats.narration:moment"),
    openings=Lazy("p2p_stratego.stratego.formats.openings:OPENINGS"),
    analysis=Lazy("p2p_stratego.stratego.bots.analysis"),
    breakthrough=Lazy("p2p_stratego.stratego.bots.analysis:breakthrough"),
    bots=MappingProxyType(
        {
            "agent": Lazy("p2p_stratego.stratego.bots.agent:Agent"),
            "marshal": Lazy("p2p_stratego.stratego.bots.marshal:Marshal"),
            "quartermaster": Lazy("p2p_stratego.stratego.bots.agent:QUARTERMASTER"),
            "diplomat": Lazy("p2p_stratego.stratego.bots.agent:DIPLOMAT"),
            "gambler": Lazy("p2p_stratego.stratego.bots.agent:GAMBLER"),
            "cadet": Lazy("p2p_stratego.stratego.bots.agent:CADET"),
            "recruit": Lazy("p2p_stratego.stratego.bots.recruit:Recruit"),
        }
    ),
    about_bots=MappingProxyType(
        {
            "agent": mark("it weighs what every piece can be, and looks ahead"),
            "marshal": mark("it reads your pieces by what they do, and hides its flag anywhere"),
            "quartermaster": mark("it stays at home, and trusts a corner, its bombs and what it has seen"),
            "diplomat": mark("it believes every bluff: it runs from what comes near"),
            "gambler": mark("it attacks whatever is closed, and hides its flag in front"),
            "cadet": mark("it forgets what it has seen, and leaves its flag without bombs"),
            "recruit": mark("it makes any move that the rules allow"),
        }
    ),
    thinkers=frozenset({"marshal"}),
    adviser=Lazy("p2p_stratego.stratego.bots.agent:ADVISER"),
    scenarios=Lazy("p2p_stratego.stratego.formats.scenario:play"),
    terminal=Lazy("cli.games.stratego.terminal:TERMINAL"),
    options=OPTIONS,
    presets=(
        Preset(mark("Stratego quickplay, 20 pieces a side"), {}, 25),
        Preset(mark("Stratego classic, 40 pieces a side"), {"army": "classic"}, 90),
        Preset(mark("Stratego barrage, 8 pieces a side"), {"army": "barrage"}, 5),
        Preset(mark("Stratego duel, 10 pieces a side"), {"army": "duel"}, 20),
    ),
    record=Lazy("p2p_stratego.stratego.formats.record"),
    setups=True,
    page=True,
    lesson=Lazy("p2p_stratego.stratego.lessons.lesson:LESSON"),
    later_lessons=(
        (mark("A bluff"), Lazy("p2p_stratego.stratego.lessons.lessons_two_to_five:BLUFF")),
        (mark("Reading an opponent"), Lazy("p2p_stratego.stratego.lessons.lessons_two_to_five:READING")),
        (mark("When to scout"), Lazy("p2p_stratego.stratego.lessons.lessons_two_to_five:SCOUTING")),
        (mark("The hunt for the flag"), Lazy("p2p_stratego.stratego.lessons.lessons_two_to_five:HUNT")),
    ),
    puzzles=Lazy("p2p_stratego.stratego.lessons.puzzles"),
    why=Lazy("p2p_stratego.stratego.lessons.advice:why"),
    advice=Lazy("p2p_stratego.stratego.lessons.advice:advise"),
)
