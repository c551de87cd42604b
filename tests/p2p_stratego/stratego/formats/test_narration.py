"""What happened, told in whole sentences that name who."""

from __future__ import annotations

from random import Random
from typing import get_args

import pytest

from p2p_stratego.core.driver import drive
from p2p_stratego.core.game import Breach, Outcome
from p2p_stratego.stratego.formats.narration import WHY_ILLEGAL, ending, piece, step
from p2p_stratego.stratego.rules.armies import army
from p2p_stratego.stratego.rules.game import GAME
from p2p_stratego.stratego.rules.movement import Rule
from p2p_stratego.stratego.rules.pieces import NAMES
from p2p_stratego.stratego.rules.state import State
from tests.helpers.stratego.boards import Table

PLAYERS = ("Ada", "Grace")


def told(table: Table, move: str) -> tuple[str, ...]:
    before = table.state
    return step(before, table.play(move), PLAYERS)


def test_pieces_are_told_with_their_rank() -> None:
    assert [piece(NAMES.index(name)) for name in ("spy", "marshal", "bomb", "flag")] == [
        "Spy (1)",
        "Marshal (10)",
        "Bomb",
        "Flag",
    ]


def test_the_beginning_is_told() -> None:
    start = drive(GAME.setup(2, GAME.options({"army": "duel", "first": "blue"})), lambda _: None)
    laid = drive(GAME.turn(start), lambda _: None)
    placed = drive(GAME.turn(laid), lambda _: ("squares 00000003ff",) * 2)
    assert step(None, start, PLAYERS) == ("10 pieces a side (duel). Grace moves first.",)
    own = start._replace(army=army("1-0-0-0-0-0-0-0-2-0-2-1"))
    told = "6 pieces a side: Marshal (10), 2 Scouts (2), 2 Bombs, Flag. Grace moves first."
    assert step(None, own, PLAYERS) == (told,)
    assert step(start, laid, PLAYERS) == ("Both sides have laid their armies.",)
    assert step(laid, placed, PLAYERS) == ("Both armies stand on the board.",)


def test_a_whole_army_stands_as_soon_as_it_is_laid() -> None:
    start = drive(GAME.setup(2, GAME.options({"army": "classic"})), lambda _: None)
    laid = drive(GAME.turn(start), lambda _: None)
    assert step(start, laid, PLAYERS) == (
        "Both sides have laid their armies.",
        "Both armies stand on the board.",
    )


@pytest.mark.parametrize(
    ("red", "blue", "move", "line"),
    [
        ("e5 miner", "e6 bomb", "e5e4", "Ada moves e5 to e4."),
        ("e3 scout", "e6 bomb", "e3e5", "Ada moves e3 to e5: it is a scout."),
        ("e5 miner", "e6 bomb", "e5e6", "Ada attacks e6 from e5: the Miner (3) beats Grace's Bomb."),
        ("e3 scout", "e6 bomb", "e3e6", "Ada attacks e6 from e3: the Scout (2) falls to Grace's Bomb."),
        ("e5 spy", "e6 spy", "e5e6", "Ada attacks e6 from e5: the Spy (1) meets its like, and both fall."),
    ],
)
def test_a_move_is_told(red: str, blue: str, move: str, line: str) -> None:
    assert told(Table(f"{red}, a1 flag, b1 bomb, j1 spy", f"{blue}, a10 flag, j10 spy"), move) == (line,)


def test_of_a_scout_that_is_open_nobody_is_told_again_what_it_is() -> None:
    table = Table("e3 scout, a1 flag, j1 spy", "a10 flag, j10 spy")
    assert told(table, "e3e5") == ("Ada moves e3 to e5: it is a scout.",)
    table.play("j10j9")
    assert told(table, "e5e3") == ("Ada moves e5 to e3.",)


def test_the_end_is_told_after_the_move() -> None:
    assert told(Table("e5 spy, a1 flag", "e6 flag, a10 spy"), "e5e6") == (
        "Ada attacks e6 from e5: the Spy (1) takes Grace's flag!",
        "Ada wins: the flag is taken.",
    )


def test_who_cannot_move_is_told_once_for_each() -> None:
    table = Table("a2 flag, b1 bomb, a1 spy", "j9 flag, i10 bomb, j10 spy")
    assert told(table, "none") == ("Ada cannot move.",)
    assert told(table, "none") == ("Grace cannot move.", "A draw: neither side can move.")


def test_a_cheat_is_told_by_what_it_did() -> None:
    table = Table("a1 flag, e5 bomb, j1 spy", "a10 flag, e6 spy, j10 spy")
    assert told(table, "e5e6") == ("Grace wins: Ada moved a bomb or the flag.",)


@pytest.mark.parametrize(
    ("outcome", "line"),
    [
        (Outcome(frozenset({1}), "no-moves"), "Grace wins: Ada cannot move."),
        (Outcome(frozenset(), "quiet-draw"), "A draw: nobody has attacked for too long."),
        (Outcome(frozenset({0}), "resigned"), "Ada wins: Grace has resigned."),
        (Outcome(frozenset(), "agreed-draw"), "A draw, as both agreed."),
        (Outcome(frozenset({0}), "unresponsive"), "Ada claims the game: Grace did not answer."),
        (
            Outcome(frozenset({0}), "cheated", Breach(1, "wrong-opening")),
            "Ada wins: Grace broke a rule: wrong-opening.",
        ),
        (
            Outcome(frozenset({0}), "cheated", Breach(1, "false-no-move")),
            "Ada wins: Grace could have moved and said that it could not.",
        ),
    ],
)
def test_every_end_is_told(outcome: Outcome, line: str) -> None:
    assert ending(outcome, PLAYERS) == line


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
