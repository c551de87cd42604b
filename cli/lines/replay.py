"""A recorded game step by step in lines: for plain terminals and screen readers.

What a typed line comes to is a pure function of the place in the game; the loop around it reads and prints.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from cli.games.interface import THE_END, Players, ViewContext, terminal
from cli.lines.prompt import Prompt
from cli.studies.analysis.analysing import Analysed
from cli.studies.analysis.analysis_text import decision, sides
from cli.studies.playback import Replay
from cli.text.layout import hung
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.view import View

WORDS: Final[Mapping[str, str]] = {
    "": "next",
    "next": "next",
    "back": "back",
    "b": "back",
    "event": "event",
    "e": "event",
    "event back": mark("event back"),
    "eb": mark("event back"),
    "first": "first",
    "last": "last",
    "n": "found",
    "p": mark("found back"),
    "view": "view",
    "v": "view",
    "open": "open",
    "o": "open",
}
"""By typed line, the command (`Replay.go`)."""
ABOUT: Final = (
    (mark("Enter, b"), mark("the next step, the step before")),
    (mark("e, eb"), mark("the next event, the event before")),
    ("12", mark("step 12; so do first and last")),
    ("/text", mark("the next step that tells this; n and p: the next one, the one before")),
    ("board", mark("the board in sentences")),
    ("moves", mark("the events of the whole game, with the numbers of their steps")),
    ("view", mark("through whose eyes: each player's in turn, then everybody's")),
    ("analysis", mark("what the strong bot says of this step's decisions; it knows all cards")),
    ("open", mark("open all that is known at the end, and close it again")),
    ("q", mark("leave")),
)


ANALYSIS: Final = ("analysis", "a")


class Answer(NamedTuple):
    """Where a typed line led, and what is said of it."""

    place: Replay
    lines: list[str]


def step_through(
    start: Replay,
    prompt: Prompt,
    columns: Callable[[], int | None],
    analysis: Callable[[], Analysed] | None = None,
) -> None:
    """Show a game until its reader has seen enough; `columns`: the width of lines.

    `analysis`: makes that of the game, which may take a while.
    """
    place = replace(start, judges=analysis is not None)
    prompt.say(_("Enter shows the next step; ? says what else there is."))
    sentences = here(place)
    while True:
        for text in sentences:
            prompt.say("\n".join(hung(text, columns())))
        try:
            typed = prompt.ask(
                _("step {step} of {steps}", step=place.at, steps=len(place.story.steps)) + " > "
            )
        except EOFError:
            return
        if typed.strip().lower() in ANALYSIS and analysis is not None and place.analysed is None:
            place = replace(place, analysed=analysis())
        place, sentences = answered(place, typed)


def answered(place: Replay, typed: str) -> Answer:
    """What a typed line comes to."""
    line = " ".join(typed.split())
    word = line.lower()
    if line.startswith("/"):
        there = place.go("search").typed(line[1:].strip()).searched()
        return Answer(replace(there, notice=""), [there.notice] if there.notice else here(there))
    if word in WORDS:
        return _gone(place, _(WORDS[word]))
    if word.isascii() and word.isdigit():
        there = place.to(int(word[:9]))
        return Answer(there, here(there))
    if word in ANALYSIS:
        return Answer(place, judged(place))
    if word == "board":
        return Answer(place, board(place))
    if word == "moves":
        return Answer(place, moves(place))
    if word in ("?", "help"):
        return Answer(place, [f"{keys}: {_(about)}" for keys, about in ABOUT])
    return Answer(place, [_("Nothing is called “{text}” here. ? says what there is.", text=line[:40])])


def _gone(place: Replay, command: str) -> Answer:
    """The place after a command, and what is told there."""
    there = place.go(command)
    if there.notice:
        return Answer(replace(there, notice=""), [there.notice])
    if command == "open":
        return Answer(there, [_("All is open.") if there.open else _("It is closed again.")])
    if command == "view":
        return Answer(there, [_whose(there)])
    if there.at == place.at:
        return Answer(there, [_("This is the last step.") if place.last else _("There is none.")])
    return Answer(there, here(there))


def _whose(place: Replay) -> str:
    """Whose view it is, in a sentence."""
    if place.eyes is None:
        return _("The board is as everybody saw it.")
    if place.eyes == place.story.own:
        return _("The board is as you saw it.")
    return _("The board is as {player} saw it.", player=place.story.names[place.eyes])


def here(place: Replay) -> list[str]:
    """The sentences of this step; of the last one, also those for the end."""
    step = place.story.steps[place.at - 1]
    return [*step.sentences, *[place.note] * bool(place.note), *[place.story.closing] * place.last]


def board(place: Replay) -> list[str]:
    """The board of this step in sentences."""
    game, step = terminal(place.story.game), place.story.steps[place.at - 1]
    view = View(place.seat, step.state, dict(place.known), since=place.story.since if place.last else ())
    context = ViewContext(view, Players(place.story.names), notes=False)
    return [game.description.banner(view) + _(THE_END) * step.ends, *game.description.board(context)]


def judged(place: Replay) -> list[str]:
    """What the analysis says of this step."""
    analysis = place.analysed
    if analysis is None:
        return [_("This game has no analysis.")]
    decisions = [
        "; ".join(text for _style, text in decision(analysis, judgement))
        for judgement in analysis.at(place.at)
    ]
    return [
        "; ".join(sides(analysis, place.at)),
        *(decisions or [_("Nobody decided anything in this step.")]),
    ]


def moves(place: Replay) -> list[str]:
    """The events of the game, each with the number of its step."""
    steps, notes = place.story.steps, place.story.notes
    labels = {at: f"{at} {steps[at - 1].moment}".strip() for at in place.events}
    return [
        f"{label}: {' '.join(steps[at - 1].sentences)}"
        for at, label in labels.items()
        if steps[at - 1].moment or at in notes
    ] or [_("There is none.")]
