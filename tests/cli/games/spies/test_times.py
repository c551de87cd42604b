"""Which questions of SPIES! have a clock, how long it runs, and what the program says when time is up."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from cli.games.interface import Limit, Players
from cli.games.spies import questions, times
from cli.games.spies.terminal import TERMINAL
from cli.games.typed_names import in_english
from cli.table.seat.timing import described
from cli.text import language
from p2p_stratego.core.game import Choose, Together
from p2p_stratego.core.self_play import play
from p2p_stratego.core.view import View
from p2p_stratego.spies.bots.recruit import Recruit
from p2p_stratego.spies.rules.game import GAME
from p2p_stratego.spies.rules.notation import NO_ANSWER, READY
from p2p_stratego.spies.rules.state import State
from p2p_stratego.spies.rules.underway import now
from tests.golden.sentences import Row, asked, assert_answers, decided

PLAYERS = Players(("Anna", "Boris", "Chen"), 0)


class Watching:
    """A recruit that keeps each decision with its clock."""

    def __init__(self, chance: random.Random) -> None:
        self._recruit = Recruit(chance)
        self.seen: list[tuple[View[State], Limit | None]] = []

    def decide(self, view: View[State]) -> Any:
        self.seen.append((view, times.limit(view)))
        return self._recruit.decide(view)


@pytest.fixture(scope="module")
def seen() -> list[tuple[View[State], Limit | None]]:
    """Every decision of a game of three."""
    chance = random.Random(3)
    bots = [Watching(chance) for _ in range(3)]
    play(GAME, bots, {"talk": 6, "answer": 20}, chance)
    return [view for bot in bots for view in bot.seen]


def test_every_question_that_can_be_passed_has_a_clock_and_no_other_one(
    seen: list[tuple[View[State], Limit | None]],
) -> None:
    kinds: set[str] = set()
    for view, limit in seen:
        options = view.decision.options if isinstance(view.decision, Choose) else ()
        assert (limit is not None) == (NO_ANSWER in options or view.state.phase == "talk")
        if limit is None or limit.answer == READY:
            continue
        assert (limit.answer, limit.seconds, limit.hides) == (NO_ANSWER, 20, True)
        assert limit.kinds == {option.split(" ")[0] for option in options} - {NO_ANSWER}
        assert limit.kinds <= set(TERMINAL.interrupts)
        kinds |= limit.kinds
    assert {"papers", "escape", "cover", "double-cross", "search"} <= kinds


def test_talks_last_as_long_as_agreed_and_half_of_it_before_later_years(
    seen: list[tuple[View[State], Limit | None]],
) -> None:
    lasts = {view.state.year: limit.seconds for view, limit in seen if limit and limit.answer == READY}
    assert lasts == {1933: 360.0} | dict.fromkeys(range(1934, max(lasts) + 1), 180.0)


def test_two_may_talk_alone_in_the_talks_and_in_diplomacy_that_is_paid_for(
    seen: list[tuple[View[State], Limit | None]],
) -> None:
    for view, limit in seen:
        alone, state = times.private(view), now(view)
        if limit is not None and limit.answer == READY:
            assert alone == {0, 1, 2} - {view.seat}
        elif view.seat == state.seat(state.power):
            assert alone == {state.seat(power) for power in state.talks}
        else:
            assert alone <= {state.seat(state.power)}
            assert bool(alone) == any(state.seat(power) == view.seat for power in state.talks)
    assert any(times.private(view) for view, limit in seen if limit is None)


def test_the_talks_are_asked_and_waited_for_in_words(seen: list[tuple[View[State], Limit | None]]) -> None:
    view = next(view for view, limit in seen if limit is not None and limit.answer == READY)
    assert questions.read(view, "ready") == READY

    def answer(row: Row) -> Iterator[str]:
        if row.place == "others are awaited":
            yield questions.waiting(view, PLAYERS, Together((Choose(1, (READY,)),)))
        elif row.typed is None:
            yield TERMINAL.description.banner(view)
            yield from asked(TERMINAL, view, PLAYERS)
        else:
            yield from decided(TERMINAL, view, row.typed)

    assert_answers("spies-talks", answer)


def test_questions_in_the_turns_of_others_are_told_in_the_players_language() -> None:
    language.install("de")
    try:
        kinds = described(TERMINAL.interrupts, frozenset({"papers"}), TERMINAL.names())
        assert kinds[0].startswith("papiere: ")
        assert kinds[-1].startswith("durchsuchen: ")
        assert in_english("Papiere", TERMINAL.names()) == "papers"
    finally:
        language.install("en")
