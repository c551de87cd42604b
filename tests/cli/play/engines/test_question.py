"""What an engine may answer: all that breaks no rule as far as its seat can tell, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from cli.games.interface import terminal
from cli.play.engines.question import LISTED, Foreseen, NotTaken, question
from p2p_stratego.conquest.rules import observation as of_conquest
from p2p_stratego.core.game import Choose, Commit
from p2p_stratego.core.view import View
from p2p_stratego.registry import GAMES
from p2p_stratego.spies.rules import observation as of_spies
from p2p_stratego.stratego.rules import observation as of_stratego
from tests.helpers.games.any_game import views


def conquest_moves(view: View[Any]) -> list[str]:
    return of_conquest.own_moves(view.state, view.known)


def choosing(
    name: str, asks: Callable[[View[Any]], bool] = lambda _view: True, most: int = 30
) -> list[View[Any]]:
    """Some views of a whole game in which a seat has a choice, and may choose what it likes."""
    forced = terminal(name).forced or (lambda _view: None)
    all_views = [
        view
        for view in views(name)
        if isinstance(view.decision, Choose) and forced(view) is None and asks(view)
    ]
    return all_views[:: max(len(all_views) // most, 1)]


@pytest.mark.parametrize(
    ("name", "asks", "knows"),
    [
        ("stratego", lambda view: view.state.phase == "play", of_stratego.own_moves),
        ("conquest", lambda view: view.state.phase == "move", conquest_moves),
        ("spies", lambda view: len(list(islice(view.decision.options, 300))) < 300, of_spies.true_options),
    ],
)
def test_what_is_offered_is_what_the_seat_of_that_game_knows_to_be_true(
    name: str, asks: Callable[[View[Any]], bool], knows: Callable[[View[Any]], list[str]]
) -> None:
    """No line of the questions knows a game; each game has a function that knows its truth."""
    seen = choosing(name, asks)
    assert len(seen) > 10
    for view in seen:
        asked = question(GAMES[name], view)
        assert sorted(asked.options) == sorted(knows(view))
        assert asked.complete


def test_a_bomb_is_neither_offered_to_move_nor_taken_when_it_is_named() -> None:
    """The rules would take it: only its owner knows what it is."""
    lying = [
        (view, move)
        for view in choosing("stratego", lambda view: view.state.phase == "play")
        for move in view.asked.options  # type: ignore[union-attr]
        if move not in of_stratego.own_moves(view)
    ]
    assert lying
    for view, move in lying[:20]:
        asked = question(GAMES["stratego"], view)
        with pytest.raises(NotTaken) as refused:
            asked.chosen(move)
        assert refused.value.code == "breaks-a-rule"
        assert all(asked.chosen(at) != move for at in range(len(asked.options)))


def test_where_all_that_is_looked_at_breaks_a_rule_no_option_is_offered_that_would_lose(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A true one may stand behind them; where none is left, an earlier answer broke the rule."""
    (view, *_) = choosing("stratego", lambda view: view.state.phase == "squares")
    monkeypatch.setattr(Foreseen, "broken", lambda _self, _answer: "a rule")
    asked = question(GAMES["stratego"], view)
    assert (asked.options, asked.complete) == ((), False)
    with pytest.raises(NotTaken):
        asked.chosen(0)
    (few, *_) = choosing("stratego", lambda view: view.state.phase == "play")
    asked = question(GAMES["stratego"], few)
    assert (asked.options, asked.complete) == (tuple(few.asked.options), True)  # type: ignore[union-attr]


def test_of_billions_of_options_some_are_listed_and_every_other_can_be_named() -> None:
    (view, *_) = choosing("stratego", lambda view: view.state.phase == "squares")
    asked = question(GAMES["stratego"], view)
    assert (len(asked.options), asked.complete) == (LISTED, False)
    other = next(islice(asked.view.asked.options, 5 * LISTED, None))  # type: ignore[union-attr]
    assert other not in asked.options
    assert asked.chosen(other) == other
    with pytest.raises(NotTaken, match="none of the options"):
        asked.chosen("0" * 10)


def test_cards_are_laid_as_many_as_there_are_slots_and_of_the_faces_named() -> None:
    view = next(view for view in views("stratego") if isinstance(view.decision, Commit))
    asked = question(GAMES["stratego"], view)
    army = tuple(asked.parts()["lay"]["faces"])
    assert asked.laid(army) == army
    for wrong in ((), army[1:], (*army, army[0]), (army[0],) * len(army), (*army[1:], 200)):
        with pytest.raises(NotTaken):
            asked.laid(wrong)


def test_a_seat_that_broke_a_rule_before_can_still_answer() -> None:
    """Where every option is a lie by now, all are offered: the game goes on to its verdict."""
    view = choosing("stratego", lambda view: view.state.phase == "play")[0]
    bombs = replace(view, known=dict.fromkeys(view.known, 11))
    asked = question(GAMES["stratego"], bombs)
    assert set(asked.options) == set(islice(view.asked.options, 1000))  # type: ignore[union-attr]
