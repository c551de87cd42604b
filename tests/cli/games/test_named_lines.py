"""What a coach names can be typed as it stands: lines of lessons, and lines and steps of advice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from cli.games.interface import Misunderstood, PlannedAnswers, terminal
from cli.games.typed_names import shown as shown_answer
from cli.table.seat.coaching import advice
from cli.table.seat.setup import READY
from cli.text import language
from p2p_stratego.core.game import Face, Move
from p2p_stratego.core.self_play import play
from p2p_stratego.core.view import Bot, View
from p2p_stratego.registry import GAMES, lesson, lessons, make_bot
from p2p_stratego.spies_and_lies.lessons.lesson import marks_named
from p2p_stratego.spies_and_lies.rules.notation import NO_MARKS, missions_typed

LESSONS = [(game, number) for game in GAMES for number in range(1, len(lessons(game)) + 1)]
TYPED = re.compile(r"^Type (.+?)(?:, for example.*|, or change it.*)?\.?$")
STEPS = re.compile(r"Your .+ on (?P<source>\w+) beats .+ on (?P<target>\w+?)(?: at | in |:|\.)")
TO_LAND = re.compile(r"A step from (?P<source>\w+) to (?P<target>\w+) gains land")


class Over(Exception):
    """The tutor gives up."""


def lines(text: str) -> Iterator[str]:
    """The lines that a coach names to be typed."""
    for paragraph in text.split("\n"):
        if hit := TYPED.match(paragraph):
            yield from re.split(r",? or ", hit[1])


def understood(game: str, view: View[Any], line: str) -> bool:
    """Whether a line answers the open question, or is an order of the set-up."""
    editor = terminal(game).setup_editor
    if line in READY and editor is not None and editor.is_time(view):
        return True
    try:
        read = terminal(game).questions.read(view, line)
    except Misunderstood:
        return False
    first = read.first if isinstance(read, PlannedAnswers) else read
    return not isinstance(first, str) or first in getattr(view.decision, "options", ())


class Learner:
    """Reads what the coach says at each question, and plays like a bot."""

    def __init__(self, game: str, number: int, bot: Bot[Any]) -> None:
        known = lesson(game, number)
        assert known is not None
        self._game, self._lesson, self._bot = game, known, bot
        self.count = 0

    def decide(self, view: View[Any]) -> Move | tuple[Face, ...]:
        text = self._lesson.coach(view)
        for line in lines(text):
            assert understood(self._game, view, line), (line, text)
            self.count += 1
        return self._bot.decide(view)


@pytest.mark.parametrize(("game", "number"), LESSONS)
def test_each_line_that_a_lesson_names_is_understood(game: str, number: int) -> None:
    known, count = lesson(game, number), 0
    assert known is not None
    of = known

    class Tutor:
        def __init__(self, seed: int) -> None:
            self._tutor = of.tutor(Random(seed))

        def decide(self, view: View[Any]) -> Move | tuple[Face, ...]:
            if of.over(view):
                raise Over
            return self._tutor.decide(view)

    for seed in range(4):
        learner = Learner(game, number, make_bot(game, "recruit", Random(seed)))
        with suppress(Over):
            play(GAMES[game], [learner, Tutor(seed)], dict(of.options), Random(seed))
        count += learner.count
    assert count


@pytest.mark.parametrize("game", ["spies-and-lies", "stratego", "conquest"])
def test_each_line_and_step_that_advice_names_is_understood(game: str) -> None:
    says, named = advice(game), list[str]()
    assert says is not None
    of = says

    class Advised:
        def __init__(self, seed: int) -> None:
            self._bot = make_bot(game, "agent", Random(seed))

        def decide(self, view: View[Any]) -> Move | tuple[Face, ...]:
            for remark in of(view):
                steps = (pattern.search(remark.text) for pattern in (STEPS, TO_LAND))
                ends = [f"{hit['source']}{hit['target']}" for hit in steps if hit]
                for line in (*lines(remark.text), *ends):
                    assert understood(game, view, line), (line, remark.text)
                    named.append(line)
            return self._bot.decide(view)

    for seed in range(2):
        play(GAMES[game], [Advised(seed), Advised(seed + 9)], {}, Random(seed))
    assert named


@pytest.mark.parametrize(("code", "shown"), [("en", "none"), ("de", "nichts"), ("nl", "geen")])
def test_the_coach_names_an_answer_as_the_table_offers_it(code: str, shown: str) -> None:
    """It said "Tippe none oder 2" above an offer that read "nichts"."""
    language.install(code)
    try:
        assert marks_named(NO_MARKS) == shown_answer(missions_typed(NO_MARKS), {}) == shown
        assert marks_named("mark 23") == "2 3"
    finally:
        language.install("en")
