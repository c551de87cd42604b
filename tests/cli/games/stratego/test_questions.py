"""Moves of Stratego: typed text, offers, and warnings."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from cli.games.interface import Ambiguous, Choice, Misunderstood, NotPossible, Unknown
from cli.table.seat.setup import READY
from p2p_stratego.core.game import Ask, Choose, Claim, Open, Outcome, Together
from p2p_stratego.core.view import View
from p2p_stratego.stratego.formats import narration
from p2p_stratego.stratego.rules.choices import Moves
from p2p_stratego.stratego.rules.claims import FALSE_NONE, RAN, WALKED, WRONG_ARMY
from p2p_stratego.stratego.rules.observation import own_moves
from p2p_stratego.stratego.rules.pieces import BLUE, BOMB, RED
from tests.helpers.stratego.boards import position
from tests.helpers.stratego.moments import (
    BEGUN,
    CORNERED,
    MIDDLE,
    MOMENTS,
    PLAYERS,
    TERMINAL,
    context,
    laid,
    played,
    setting_up,
    view,
)

A_BOMB_CAN_WALK = view(played("a4a5", "i7i6", "a3a4", "i6i7"))
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


MISREAD = [
    (view(MIDDLE), "a5a6", NotPossible, "you have no piece on a5"),
    (view(MIDDLE), "a4a4", NotPossible, "a4a4"),
    (
        view(BEGUN),
        "b4",
        NotPossible,
        "Where does your Scout (2) go? Type b4×b7, b4b5, b4b6 or b4c4; 1 more is",
    ),
    (view(MIDDLE), "f5f8", NotPossible, "scout goes further"),
    (view(MIDDLE), "f5f5", NotPossible, "f5f5 is not possible: a move needs two different squares."),
    (view(MIDDLE), "d5d5", NotPossible, "a move needs two different squares"),
    (view(MIDDLE), "d5d6", NotPossible, "you have no piece on d5"),
    (view(MIDDLE), "i6i7", NotPossible, "you have no piece on i6"),
    (view(MIDDLE), "f4g4h5", Unknown, "no move"),
    (view(MIDDLE), "b4c5", NotPossible, "not possible"),
    (view(MIDDLE), "e4d5", NotPossible, "not possible"),
    (view(MIDDLE), "a3a4", NotPossible, "another piece stands in the way"),
    (view(MIDDLE), "d9", NotPossible, "none of your pieces"),
    (view(MIDDLE), "c2", Ambiguous, "several"),
    (view(MIDDLE), "i5", NotPossible, "Where does your General (9) go? Type i5i6 or i5i4."),
    (view(MIDDLE), "a1", NotPossible, "Your Flag on a1 cannot move now."),
    (view(MIDDLE), "none", NotPossible, "everybody can see"),
    (view(MIDDLE), "k5", Unknown, "two squares"),
    (view(MIDDLE), "hello", Unknown, "two squares"),
    (view(MIDDLE), "", Unknown, "two squares"),
    (view(MIDDLE), "x" * 5000, Unknown, "two squares"),
    (view(MIDDLE), "a٣a٤", Unknown, "two squares"),
    (view(MIDDLE, BLUE), "e6e5", NotPossible, "nothing to decide"),
    (view(MIDDLE, BLUE), "none", NotPossible, "nothing to decide"),
    (view(MIDDLE, BLUE), "hello", Unknown, "Nothing is asked"),
]


@pytest.mark.parametrize(("of", "typed", "error", "part"), MISREAD)
def test_each_misunderstanding_is_of_its_kind_and_says_what_would_do(
    of: View[Any], typed: str, error: type[Misunderstood], part: str
) -> None:
    with pytest.raises(Misunderstood) as caught:
        TERMINAL.questions.read(of, typed)
    assert type(caught.value) is error
    assert part in str(caught.value)
    assert str(caught.value).endswith(".")
    assert len(str(caught.value)) < 160


def test_a_move_that_only_its_owner_knows_to_be_wrong_is_a_move() -> None:
    assert TERMINAL.questions.read(A_BOMB_CAN_WALK, "a2a3") == "a2a3"
    with pytest.raises(NotPossible, match="another piece"):  # a friend stands there: everybody sees that
        TERMINAL.questions.read(view(BEGUN), "b3b4")


def test_the_repetition_rules_are_named() -> None:
    state = played("c1d1", "i7i6", "d1c1", "i6i7", "c1d1", "i7i6")
    with pytest.raises(NotPossible, match="three times in a row"):
        TERMINAL.questions.read(view(state), "d1c1")


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


@pytest.mark.parametrize("typed", ["", "a", "f5", "i5i"])
def test_every_choice_is_understood_as_itself(typed: str) -> None:
    for choice in TERMINAL.questions.choices(context(view(MIDDLE), typed)):
        assert TERMINAL.questions.read(view(MIDDLE), choice.word) == choice.word
        assert TERMINAL.questions.warnings(view(MIDDLE), choice.word) == []


# Warnings


def test_a_bomb_that_walks_is_warned_of_with_what_comes_of_it() -> None:
    told = " ".join(TERMINAL.questions.warnings(A_BOMB_CAN_WALK, "a2a3"))
    assert "The Bomb on a2 may never move." in told
    assert "opened" in told
    assert "you lose" in told
    assert TERMINAL.questions.spoken(A_BOMB_CAN_WALK, "a2a3") == "move the Bomb from a2 to a3"


def test_a_long_move_that_is_no_scouts_is_found_out_at_once() -> None:
    told = " ".join(TERMINAL.questions.warnings(view(BEGUN), "a4a6"))
    assert "stands your Lieutenant (5)" in told
    assert "in this very move" in told
    assert TERMINAL.questions.warnings(view(BEGUN), "b4b6") == []


def test_an_attack_by_a_bomb_is_found_out_at_once() -> None:
    attack = replace(view(BEGUN), known=dict.fromkeys(range(40), BOMB))
    assert "in this very move" in " ".join(TERMINAL.questions.warnings(attack, "b4b7"))


def test_a_false_none_is_warned_of_and_a_true_one_is_not() -> None:
    told = " ".join(TERMINAL.questions.warnings(view(BEGUN), "none"))
    assert "You can move: " in told
    assert "and more" in told
    assert "by saying so you claim it" in told
    assert TERMINAL.questions.spoken(view(BEGUN), "none") == "say that you cannot move"
    assert TERMINAL.questions.spoken(view(BEGUN), "squares c155de7065") == "fill these squares"
    assert TERMINAL.questions.warnings(CORNERED, "none") == []


def test_who_cannot_move_is_told_and_offered_to_say_so() -> None:
    question = TERMINAL.questions.question(CORNERED, PLAYERS)
    assert question is not None
    assert question.text.startswith("None of your pieces can move.")
    assert question.how == "none"
    assert chosen(CORNERED, "") == ["none"]
    assert TERMINAL.questions.read(CORNERED, "NONE") == "none"


# Questions


@pytest.mark.parametrize(
    ("plies", "told"),
    [(0, "1st"), (1, "2nd"), (2, "3rd"), (3, "4th"), (10, "11th"), (111, "112th"), (120, "121st")],
)
def test_moves_are_counted_as_people_count(plies: int, told: str) -> None:
    question = TERMINAL.questions.question(view(MIDDLE._replace(plies=plies)), PLAYERS)
    assert question is not None
    assert question.text == f"Your move, the {told} of the game."


def test_a_draw_that_comes_near_is_said() -> None:
    question = TERMINAL.questions.question(view(MIDDLE._replace(calm=171)), PLAYERS)
    assert question is not None
    assert question.text.endswith("It is a draw in 29 moves without an attack.")
    last = TERMINAL.questions.question(view(MIDDLE._replace(calm=199, quiet=200)), PLAYERS)
    assert last is not None
    assert last.text.endswith("It is a draw in 1 move without an attack.")
    quiet = TERMINAL.questions.question(view(MIDDLE._replace(calm=171, quiet=0)), PLAYERS)
    assert quiet is not None
    assert "draw" not in quiet.text


def test_whoever_may_still_move_when_the_other_cannot_is_told_so() -> None:
    question = TERMINAL.questions.question(view(MIDDLE._replace(stuck=True)), PLAYERS)
    assert question is not None
    assert question.text == "Boris cannot move. Any move of yours wins the game."


def test_nothing_is_asked_of_who_waits() -> None:
    assert TERMINAL.questions.question(view(MIDDLE, BLUE), PLAYERS) is None
    assert TERMINAL.questions.question(setting_up(), PLAYERS) is None


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (Choose(BLUE, ()), "Boris is to move."),
        (Open(3), "A piece is being turned up."),
        (Claim(BLUE, WALKED, (43,), frozenset((1,))), "A claim is being put on record."),
        (Together(()), "Boris is still setting up."),
    ],
)
def test_what_is_waited_for_is_said(ask: Ask, told: str) -> None:
    assert TERMINAL.questions.waiting(view(MIDDLE), PLAYERS, ask) == told


def test_banners_say_where_the_game_stands() -> None:
    assert TERMINAL.description.banner(view(MIDDLE)) == "quickplay · move 11"
    assert TERMINAL.description.banner(setting_up("duel")) == "duel · setting up"
    assert TERMINAL.description.banner(laid(asked=True)) == "quickplay · setting up"
    assert TERMINAL.description.banner(view(MIDDLE._replace(phase="over"))) == "quickplay · the end, 10 moves"
    own = setting_up("1-0-0-0-0-0-0-0-2-0-0-1")
    assert TERMINAL.description.banner(own) == "4 pieces · setting up"


def test_every_rule_that_can_be_broken_has_words() -> None:
    for rule in (WALKED, RAN, FALSE_NONE, WRONG_ARMY):
        assert not narration.breach(rule).startswith("broke a rule")
    assert (
        narration.ending(Outcome(frozenset((RED,)), "flag"), PLAYERS.names) == "Anna wins: the flag is taken."
    )


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
