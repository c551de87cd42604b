"""The page of a day in Spies & Lies: every point with its cause."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from cli.games.drama import CardTurn
from cli.games.interface import Players
from cli.games.spies_and_lies import drama
from cli.text import language
from p2p_stratego.spies_and_lies.rules.components import DECEPTION, SIDES, SOLDIERS, title
from p2p_stratego.spies_and_lies.rules.state import State
from tests.helpers.games.any_game import NAMES, states

PLAYERS = Players(NAMES[:2], 0)


def days(seed: int) -> list[list[tuple[State, State]]]:
    """The steps of each day of a game that is played to its end."""
    steps: list[list[tuple[State, State]]] = [[]]
    for before, after in pairwise(states("spies-and-lies", seed)):
        steps[-1].append((before, after))
        if drama.closing(steps[-1], PLAYERS) is not None:
            steps.append([])
    return steps[:-1]


@pytest.mark.parametrize("seed", range(1, 9))
def test_the_points_of_a_day_are_the_sum_of_what_is_told(seed: int) -> None:
    for steps in days(seed):
        closing = drama.closing(steps, PLAYERS)
        assert closing is not None
        for (_side, line, why), name in zip(
            closing.gains, [PLAYERS.names[side] for side in SIDES], strict=False
        ):
            parts = [part for part in why.split("; ") if part]
            total = sum((-1 if " lost " in part else 1) * int(part.split()[0]) for part in parts)
            assert re.fullmatch(rf"{name}: {total} points?", line)


def test_points_of_a_token_are_told_as_those_of_the_token() -> None:
    tokens = 0
    for seed in range(1, 9):
        for steps in days(seed):
            reports = [
                now.report for was, now in steps if now.report is not was.report and now.report is not None
            ]
            scored = sum(report.paid_for_token is not None for report in reports)
            closing = drama.closing(steps, PLAYERS)
            assert closing is not None
            whys = " ".join(why for _side, _line, why in closing.gains)
            assert whys.count(f"{DECEPTION} for the token") == scored
            tokens += scored
    assert tokens, "the games must have scored tokens"


@pytest.mark.parametrize("code", language.NAMES)
def test_a_turned_card_has_its_name_in_the_language_that_is_spoken(code: str) -> None:
    steps = [step for day in days(1) for step in day]
    language.install(code)
    names = set(map(title, SOLDIERS))
    turned = [
        event
        for before, after in steps
        for event in drama.events(before, after, PLAYERS)
        if isinstance(event, CardTurn)
    ]
    assert turned
    assert {event.card.name for event in turned} <= names
