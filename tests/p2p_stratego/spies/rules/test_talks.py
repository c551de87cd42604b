"""Talks before each year: all who are there end them, and the clock is not the rules' business."""

from __future__ import annotations

import random
from collections.abc import Collection
from typing import Any

import pytest

from p2p_stratego.core.game import Ask, Choose, OptionError, Options, Together
from p2p_stratego.core.self_play import PlayedGame, play
from p2p_stratego.core.view import View
from p2p_stratego.spies.bots.recruit import Recruit
from p2p_stratego.spies.rules.game import GAME
from p2p_stratego.spies.rules.notation import READY
from p2p_stratego.spies.rules.state import State


class Listening:
    """A recruit that remembers the talks: for each the year, the phase, and whether spies were laid."""

    def __init__(self, chance: random.Random) -> None:
        self._recruit = Recruit(chance)
        self.talks: list[tuple[int, bool]] = []

    def decide(self, view: View[State]) -> Any:
        if isinstance(view.decision, Choose) and view.state.phase == "talk":
            assert tuple(view.decision.options) == (READY,)
            self.talks.append((view.state.year, view.state.spies[0].where != "reserve"))
        return self._recruit.decide(view)


def played(
    seats: int, options: Options, leaver: int | None = None
) -> tuple[PlayedGame[State], list[Listening]]:
    chance = random.Random(7)
    bots = [Listening(chance) for _ in range(seats)]
    together = 0

    def leaves(_: int, ask: Ask) -> Collection[int]:
        nonlocal together
        together += isinstance(ask, Together)
        return () if leaver is None or together < 3 else (leaver,)

    return play(GAME, bots, options, chance, leaves), bots


@pytest.mark.parametrize(("seats", "options"), [(5, {}), (2, {"talk": 1}), (4, {"allocation": "bid"})])
def test_all_talk_before_each_year_and_before_the_first_without_spies(seats: int, options: Options) -> None:
    done, bots = played(seats, options)
    last = done.state.year
    for bot in bots:
        assert bot.talks == [(1933, False), *((year, True) for year in range(1934, last + 1))]


def test_without_talks_nobody_is_asked() -> None:
    _, bots = played(3, {"talk": 0})
    assert all(bot.talks == [] for bot in bots)


def test_who_has_left_is_not_waited_for() -> None:
    """Seat 1 leaves in the middle of the third talks."""
    done, bots = played(3, {}, leaver=1)
    assert done.state.ended is not None
    years = done.state.year - 1932
    assert years > 3
    assert [len(bot.talks) for bot in bots] == [years, 2, years]


@pytest.mark.parametrize(
    "wanted", [{"talk": 25}, {"talk": -1}, {"talk": "8"}, {"talk": True}, {"answer": 601}, {"answer": "30"}]
)
def test_times_that_are_none(wanted: Options) -> None:
    with pytest.raises(OptionError):
        GAME.options(wanted)


def test_the_options_of_a_match_hold_its_times() -> None:
    done, _ = played(2, {"talk": 0, "answer": 12})
    assert {name: done.state.options[name] for name in ("talk", "answer")} == {"talk": 0, "answer": 12}
    assert GAME.rematch(done.state.options, done.state) == done.state.options
