"""A moment of SPIES! as a whole screen."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import Any

from cli.games.interface import ViewContext
from cli.games.spies import questions
from cli.games.spies.terminal import TERMINAL
from cli.table.scene.scene import Scene
from cli.table.words.other_players import Fellow
from p2p_stratego.core.game import Face, Move
from p2p_stratego.core.self_play import play
from p2p_stratego.core.view import View
from p2p_stratego.spies.formats import narration
from p2p_stratego.spies.rules.game import GAME
from p2p_stratego.spies.rules.state import State
from tests.golden.spies import ANSWERS
from tests.helpers.program.screens import keys


class Repeated:
    """Decides what was kept, and keeps the views."""

    def __init__(self, answers: Iterator[Any], kept: list[View[State]]) -> None:
        """`answers`, `kept`: one list for all seats, in the order of the questions."""
        self._answers, self._kept = answers, kept

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        answer = next(self._answers)
        self._kept.append(replace(view, known=dict(view.known)))
        return answer if isinstance(answer, str) else tuple(answer)


@lru_cache
def golden() -> tuple[View[State], ...]:
    """Every view of the golden game, whatever bots may do by now; the last one is of its end."""
    record = json.loads(ANSWERS.read_text(encoding="ascii"))
    kept: list[View[State]] = []
    answers = iter(record["answers"])
    bots = [Repeated(answers, kept) for _ in range(record["seats"])]
    done = play(GAME, bots, record["options"], Random(record["chance"]))
    last = next(view for view in reversed(kept) if view.seat == 0)
    opened = {secret.slot: secret.face for secret in done.state.secrets if secret.face is not None}
    return (*kept, View(0, done.state, {**last.known, **opened}))


def scene(of: ViewContext, typed: str = "", cursor: str = "") -> Scene:
    """What a screen shows of a moment, with the line typed so far and the place pointed at."""
    view, people = of.view, of.players
    at = ViewContext(view, people, typed, of.notes, cursor)
    asked = questions.question(view, people)
    sentences = tuple(
        text for event in view.state.report if (text := narration.tell(view.state, event, people.names))
    )
    ended = view.state.ended
    if ended is not None:
        sentences = (*sentences, narration.ending(ended, people.names))
    fellows = [
        Fellow(seat, name, "", "direct", rtt=0.02, owes=False, side=seat)
        for seat, name in enumerate(people.names)
        if seat != people.me
    ]
    return Scene(
        terminal=TERMINAL,
        banner=TERMINAL.description.banner(view),
        context=at,
        link=("good", "all are here"),
        checked=12,
        fellows=fellows if len(people.names) > 2 else (),
        history=sentences,
        chat=[("class:seat1", "Boris", "you will not find it in Vienna")],
        news=[(False, text) for text in sentences],
        goal=TERMINAL.description.goal(view),
        question=asked.text if asked else sentences[-1],
        how=asked.at_table if asked else "",
        typed=typed,
        choices=questions.choices(at) if asked else (),
        keys=keys(TERMINAL),
    )
