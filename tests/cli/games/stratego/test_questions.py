"""Moves of Stratego: typed text, offers, and warnings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from cli.games.interface import UNSETTLED, Choice
from cli.table.seat.setup import READY
from p2p_stratego.core.game import Ask, Choose, Claim, Open, Together
from p2p_stratego.core.view import View
from p2p_stratego.stratego.formats import narration
from p2p_stratego.stratego.rules.game import Moves
from p2p_stratego.stratego.rules.movement import FALSE_NONE, RAN, WALKED, WRONG_ARMY
from p2p_stratego.stratego.rules.observation import own_moves
from p2p_stratego.stratego.rules.pieces import BLUE, BOMB, RED
from tests.golden.sentences import Row, asked, assert_answers, decided
from tests.helpers.stratego.boards import position
from tests.helpers.stratego.moments import (
    ALONE,
    BEGUN,
    CORNERED,
    MIDDLE,
    MOMENTS,
    PLAYERS,
    TERMINAL,
    changed,
    context,
    laid,
    played,
    setting_up,
    view,
)

A_BOMB_CAN_WALK = view(played("a4a5", "i7i6", "a3a4", "i6i7"))
PLACES: dict[str, View[Any]] = {
    "ten moves were made": view(MIDDLE),
    "it is the other's turn": view(MIDDLE, BLUE),
    "no move was made": view(BEGUN),
    "a bomb can walk": A_BOMB_CAN_WALK,
    "a bomb stands on each square": replace(view(BEGUN), known=dict.fromkeys(range(40), BOMB)),
    "a miner went to and fro": view(played("c1d1", "i7i6", "d1c1", "i6i7", "c1d1", "i7i6")),
    "nothing can move": CORNERED,
    "one piece can move": ALONE,
    "the other cannot move": view(changed(MIDDLE, stuck=True)),
    "the game is over": view(changed(MIDDLE, phase="over")),
    "nothing is laid": setting_up("duel"),
    "nothing is laid of an army of one's own": setting_up("1-0-0-0-0-0-0-0-2-0-0-1"),
    "both armies are laid": laid(asked=True),
    **{f"{plies} moves were made": view(changed(MIDDLE, plies=plies)) for plies in (0, 1, 2, 3, 111, 120)},
    **{
        f"{calm} moves without an attack of {quiet}": view(changed(MIDDLE, calm=calm, quiet=quiet))
        for calm, quiet in ((170, 200), (171, 200), (199, 200), (171, 0))
    },
}
AWAITED: dict[str, Ask] = {
    "a move is awaited": Choose(BLUE, ()),
    "a piece is awaited": Open(3),
    "a claim is awaited": Claim(BLUE, WALKED, (43,), frozenset((1,))),
    "an army is awaited": Together(()),
}
READ = [
    ("f5e5", "f5e5"),
    ("F5 E5", "f5e5"),
    (" f5-e5 ", "f5e5"),
    ("f5 x e5", "f5e5"),
    ("f5 to e5", "f5e5"),
    ("e5", "f5e5"),  # nobody else can go there
    ("i6", "i5i6"),
    ("j3j1", "j3j1"),  # a scout's long way
]


@pytest.mark.parametrize(("typed", "move"), READ)
def test_what_people_type_is_understood(typed: str, move: str) -> None:
    assert TERMINAL.questions.read(view(MIDDLE), typed) == move


def test_a_moment_is_asked_about_answered_warned_of_and_refused_in_words() -> None:
    def answer(row: Row) -> Iterator[str]:
        if row.place in AWAITED:
            yield TERMINAL.questions.waiting(view(MIDDLE), PLAYERS, AWAITED[row.place])
        elif row.typed is None:
            yield TERMINAL.description.banner(PLACES[row.place])
            yield from asked(TERMINAL, PLACES[row.place], PLAYERS)
        else:
            yield from decided(TERMINAL, PLACES[row.place], row.typed)

    assert_answers("stratego", answer, LONG="x" * 5000)


def test_a_player_whose_army_is_laid_is_not_waited_for_as_still_setting_up() -> None:
    """ "Still setting up" stood below a board that said "army laid" on the same side."""
    ask = Together(())
    before = TERMINAL.questions.waiting(setting_up("duel"), PLAYERS, ask)
    after = TERMINAL.questions.waiting(laid(asked=True), PLAYERS, ask)
    assert before == "Boris is still setting up."
    assert after == "Boris is putting the army on the board."


def test_a_move_that_only_its_owner_knows_to_be_wrong_is_a_move() -> None:
    assert TERMINAL.questions.read(A_BOMB_CAN_WALK, "a2a3") == "a2a3"
    warnings = TERMINAL.questions.warnings(A_BOMB_CAN_WALK, "a2a3")
    practice = TERMINAL.questions.warnings(A_BOMB_CAN_WALK, "a2a3", settled=False)
    assert "the record proves the cheat" in warnings[-1]
    assert practice == [*warnings[:-1], UNSETTLED], "no claim is settled where decisions can be taken back"
    assert TERMINAL.questions.warnings(CORNERED, "none") == []
    assert TERMINAL.questions.warnings(ALONE, "none")
    assert TERMINAL.questions.spoken(view(BEGUN), "squares c155de7065") == "fill these squares"


def chosen(of: View[Any], typed: str) -> list[str]:
    return [choice.word for choice in TERMINAL.questions.choices(context(of, typed))]


def test_only_legal_moves_are_offered() -> None:
    offered = chosen(view(BEGUN), "")
    assert sorted(offered) == sorted(own_moves(view(BEGUN)))
    assert Choice("b4b7", "b4×b7") in TERMINAL.questions.choices(context(view(BEGUN), ""))
    assert not any(move.startswith(("a1", "b1", "a2")) for move in offered)  # flag and bombs


def test_the_most_promising_moves_are_offered_first() -> None:
    """Attacks that gain, steps forward, others, attacks that lose; without notes none is known to lose."""
    known = position("a1 flag,e5 general,f6 miner", "j10 flag,e6 colonel,f7 marshal")
    assert chosen(view(known), "")[0] == "e5e6"
    assert chosen(view(known), "f6")[0] != "f6f7"
    assert chosen(view(known), "f6")[-1] == "f6f7"
    begun = [
        [choice.word for choice in TERMINAL.questions.choices(context(view(BEGUN), notes=notes))]
        for notes in (True, False)
    ]
    assert (begun[0][-1], begun[1][0]) == ("b4b7", "b4b7")
    ranks = [int(move[3:]) - int(move[1:2]) for move in begun[0][:-1] if len(move) == 4]
    assert ranks == sorted(ranks, key=lambda rows: rows <= 0)


def test_choices_go_on_from_what_is_typed() -> None:
    assert chosen(view(MIDDLE), "f5") == ["f5f6", "f5e5"]
    assert chosen(view(MIDDLE), "F5 e") == ["f5e5"]
    assert chosen(view(MIDDLE), "zz") == []
    assert chosen(view(MIDDLE, BLUE), "") == []
    assert chosen(setting_up(), "") == []
    assert chosen(CORNERED, "") == ["none"]


@pytest.mark.parametrize("typed", ["", "a", "f5", "i5i"])
def test_every_choice_is_understood_as_itself(typed: str) -> None:
    for choice in TERMINAL.questions.choices(context(view(MIDDLE), typed)):
        assert TERMINAL.questions.read(view(MIDDLE), choice.word) == choice.word
        assert TERMINAL.questions.warnings(view(MIDDLE), choice.word) == []


def test_every_rule_that_can_be_broken_has_words() -> None:
    for rule in (WALKED, RAN, FALSE_NONE, WRONG_ARMY):
        assert not narration.breach(rule).startswith("broke a rule")


def test_an_open_position_can_be_shown_and_played_too() -> None:
    """As scenarios are: every piece is known, and no slot is hidden."""
    state = position("a1 flag, b2 scout", "j10 flag, b9 miner")
    of = View(RED, state, {}, Choose(RED, Moves(state)))
    assert TERMINAL.questions.read(of, "b2b8") == "b2b8"
    assert TERMINAL.questions.warnings(of, "b2b8") == []


@pytest.mark.parametrize("moment", MOMENTS)
def test_what_is_offered_can_be_typed_as_it_is_printed(moment: str) -> None:
    of = MOMENTS[moment]
    assert TERMINAL.setup_editor is not None
    if of.draft is not None:
        for choice in TERMINAL.setup_editor.choices(of):
            if choice.word not in READY:  # what the table itself reads
                assert TERMINAL.setup_editor.edit(of, choice.shown, Random(1)) == TERMINAL.setup_editor.edit(
                    of, choice.word, Random(1)
                )
        return
    offered = TERMINAL.questions.choices(context(of.view, ""))
    assert offered or of.view.decision is None or moment == "over"
    for choice in offered:
        assert TERMINAL.questions.read(of.view, choice.shown) == TERMINAL.questions.read(of.view, choice.word)
        assert choice in TERMINAL.questions.choices(context(of.view, choice.shown))
