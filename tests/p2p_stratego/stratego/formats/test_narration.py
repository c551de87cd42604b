"""What happened, told in whole sentences that name who."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import get_args

import pytest

from p2p_stratego.core.game import Breach, Outcome
from p2p_stratego.core.rulebook import drive
from p2p_stratego.stratego.formats.narration import WHY_ILLEGAL, ending, piece, step
from p2p_stratego.stratego.rules.armies import army
from p2p_stratego.stratego.rules.game import GAME
from p2p_stratego.stratego.rules.movement import Rule
from p2p_stratego.stratego.rules.pieces import NAMES
from p2p_stratego.stratego.rules.state import State
from tests.golden.dialogues import assert_told
from tests.helpers.stratego.boards import Table

PLAYERS = ("Ada", "Grace")


def assert_sentences(situation: str, sentences: Iterable[str]) -> None:
    assert_told("stratego-events", situation, "\n".join(sentences))


def sentences_after(table: Table, move: str) -> tuple[str, ...]:
    before = table.state
    return step(before, table.play(move), PLAYERS)


def test_pieces_are_told_with_their_rank() -> None:
    assert_sentences("pieces", [piece(NAMES.index(name)) for name in ("spy", "marshal", "bomb", "flag")])


def test_the_beginning_is_told() -> None:
    start = drive(GAME.setup(2, GAME.options({"army": "duel", "first": "blue"})), lambda _: None)
    laid = drive(GAME.turn(start), lambda _: None)
    placed = drive(GAME.turn(laid), lambda _: ("squares 00000003ff",) * 2)
    assert_sentences("a duel begins", step(None, start, PLAYERS))
    own = start._replace(army=army("1-0-0-0-0-0-0-0-2-0-2-1"))
    assert_sentences("an army of one's own begins", step(None, own, PLAYERS))
    assert_sentences("laid", step(start, laid, PLAYERS))
    assert_sentences("placed", step(laid, placed, PLAYERS))


def test_a_whole_army_stands_as_soon_as_it_is_laid() -> None:
    start = drive(GAME.setup(2, GAME.options({"army": "classic"})), lambda _: None)
    laid = drive(GAME.turn(start), lambda _: None)
    assert_sentences("a whole army is laid", step(start, laid, PLAYERS))


@pytest.mark.parametrize(
    ("red", "blue", "move"),
    [
        ("e5 miner", "e6 bomb", "e5e4"),
        ("e3 scout", "e6 bomb", "e3e5"),
        ("e5 miner", "e6 bomb", "e5e6"),
        ("e3 scout", "e6 bomb", "e3e6"),
        ("e5 spy", "e6 spy", "e5e6"),
    ],
)
def test_a_move_is_told(red: str, blue: str, move: str) -> None:
    table = Table(f"{red}, a1 flag, b1 bomb, j1 spy", f"{blue}, a10 flag, j10 spy")
    assert_sentences(f"{red} before {blue}: {move}", sentences_after(table, move))


def test_of_a_scout_that_is_open_nobody_is_told_again_what_it_is() -> None:
    table = Table("e3 scout, a1 flag, j1 spy", "a10 flag, j10 spy")
    assert_sentences("a scout far, for the first time", sentences_after(table, "e3e5"))
    table.play("j10j9")
    assert_sentences("a scout far, once more", sentences_after(table, "e5e3"))


def test_the_end_is_told_after_the_move() -> None:
    assert_sentences(
        "the flag is taken", sentences_after(Table("e5 spy, a1 flag", "e6 flag, a10 spy"), "e5e6")
    )


def test_who_cannot_move_is_told_once_for_each() -> None:
    table = Table("a2 flag, b1 bomb, a1 spy", "j9 flag, i10 bomb, j10 spy")
    assert_sentences("no move", sentences_after(table, "none"))
    assert_sentences("no move of the other either", sentences_after(table, "none"))


def test_a_cheat_is_told_by_what_it_did() -> None:
    table = Table("a1 flag, e5 bomb, j1 spy", "a10 flag, e6 spy, j10 spy")
    assert_sentences("a bomb has walked", sentences_after(table, "e5e6"))


@pytest.mark.parametrize(
    "outcome",
    [
        Outcome(frozenset({1}), "no-moves"),
        Outcome(frozenset(), "quiet-draw"),
        Outcome(frozenset({0}), "resigned"),
        Outcome(frozenset(), "agreed-draw"),
        Outcome(frozenset({0}), "unresponsive"),
        Outcome(frozenset({0}), "cheated", Breach(1, "wrong-opening")),
        Outcome(frozenset({0}), "cheated", Breach(1, "false-no-move")),
    ],
)
def test_every_end_is_told(outcome: Outcome) -> None:
    rule = "" if outcome.breach is None else f" ({outcome.breach.rule})"
    assert_sentences(f"winners {sorted(outcome.winners)}: {outcome.reason}{rule}", [ending(outcome, PLAYERS)])


def test_there_are_words_for_every_reason_against_a_move() -> None:
    rules = {value for part in get_args(Rule) for value in (get_args(part) or (part,))}
    assert set(WHY_ILLEGAL) == rules


def test_every_step_of_a_whole_game_is_told() -> None:
    random = Random(3)
    table = Table("a1 flag, e4 miner, f4 spy, g4 scout", "a10 flag, e7 miner, f7 spy, g7 scout", quiet=30)
    before: State = table.state
    while GAME.outcome(before) is None:
        after = table.play(random.choice(sorted(table.options)))
        lines = step(before, after, PLAYERS)
        assert 1 <= len(lines) <= 2
        assert all(line[0].isupper() and line[-1] in ".!" and "{" not in line for line in lines)
        before = after
