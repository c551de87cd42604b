"""Liar's Dice: the test kit, its rules row by row, its secret rolls, its bot and its screens."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from liars_dice import words
from liars_dice.bots import Agent, Recruit, likely
from liars_dice.rules import GAME, LIAR, SIDES, Bid, State, bids, counted, values
from liars_dice.terminal import TERMINAL, answers, secret

from cli.games.interface import Misunderstood
from cli.testing.checks import CHECKS, Check
from cli.testing.match import Table
from cli.testing.screen import shown
from cli.testing.subject import LeftOut, Subject, listed
from p2p_stratego.core.game import Choose, Commit, Open, OptionError, Outcome, Roll, Together
from p2p_stratego.core.rulebook import drive
from p2p_stratego.core.self_play import play
from p2p_stratego.core.view import View
from protocol.seat.secrets import MASTER_BYTES, MatchSecrets

NAMES = ("Anna", "Boris", "Chen")
SCREENS = Path(__file__).parent / "screens"


@pytest.fixture
def subject() -> Iterator[Subject]:
    with listed("liars_dice.entry:ENTRY") as game:
        yield game


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
def test_it_passes_the_test_kit(check: Check, subject: Subject) -> None:
    try:
        assert list(check.run(subject)) == []
    except LeftOut as why:
        pytest.skip(str(why))


def rolled(dice: list[list[int]], *, wild: bool = True, bid: Bid | None = None, turn: int = 0) -> State:
    """A table on which these dice lie, each face under its slot as it is, nothing rolled on top."""
    slots = iter(range(100))
    cups = tuple(tuple((next(slots), 0) for _ in cup) for cup in dice)
    bidder = (turn - 1) % len(dice)
    return State(wild, tuple(map(len, dice)), turn, cups, bid, bidder, used=sum(map(len, dice)), round=1)


def challenged(dice: list[list[int]], bid: Bid, **more: Any) -> State:
    """The state after the seat in turn has called `bid` a lie."""
    faces = {slot: die - 1 for slot, die in enumerate(die for cup in dice for die in cup)}
    return answered(
        rolled(dice, bid=bid, **more), lambda ask: faces[ask.slot] if isinstance(ask, Open) else LIAR
    )


def answered(state: State, reply: Any) -> State:
    return drive(GAME.turn(state), reply)


@pytest.mark.parametrize(
    ("bid", "wild", "true"),
    [
        (Bid(3, 5), True, True),  # two fives and a one
        (Bid(3, 5), False, False),
        (Bid(4, 5), True, False),
        (Bid(1, 1), True, True),
        (Bid(2, 1), True, False),  # of ones alone
        (Bid(2, 6), True, True),
    ],
)
def test_a_challenge_costs_the_one_who_was_wrong_a_die(bid: Bid, wild: bool, true: bool) -> None:
    after = challenged([[1, 5], [5, 6]], bid, wild=wild, turn=1)
    loser = 1 if true else 0
    assert after.dice == tuple(2 - (seat == loser) for seat in (0, 1))
    assert after.shown is not None
    assert (after.shown.bidder, after.shown.doubter, after.shown.loser) == (0, 1, loser)
    assert (after.next, after.cups, after.bid) == (loser, (), None)


def test_who_has_no_dice_left_is_out_and_the_last_one_wins() -> None:
    after = challenged([[2], [3, 3], [4]], Bid(1, 6), turn=1)
    assert (after.dice, after.next, GAME.outcome(after)) == ((0, 2, 1), 1, None)
    after = challenged([[2], [3]], Bid(1, 6), turn=1)
    assert GAME.outcome(after) == Outcome(frozenset({1}), "last")


def test_bids_rise_by_number_and_then_by_face() -> None:
    state = rolled([[1, 1], [1]], bid=Bid(2, 5))
    assert bids(state) == [Bid(2, 6), *(Bid(3, face) for face in range(1, 7))]
    asked = GAME.turn(state).send(None)
    assert isinstance(asked, Choose)
    assert list(asked.options)[:2] == [LIAR, "bid 2 6"]
    first = GAME.turn(rolled([[1], [1]])).send(None)
    assert isinstance(first, Choose)
    assert LIAR not in first.options
    assert list(GAME.turn(rolled([[1], [1]], bid=Bid(2, 6))).send(None).options) == [LIAR]  # type: ignore[union-attr]  # a Choose


@pytest.mark.parametrize("wanted", [{"dice": 0}, {"dice": 6}, {"ones": "half"}, {"sixes": 1}, {"dice": "5"}])
def test_other_options_are_refused(wanted: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        GAME.options(wanted)


# Secret rolls


def test_each_die_has_a_commitment_and_a_number_of_its_own() -> None:
    """With one number for a cup, a player who lays five equal faces would always roll five of a kind."""
    asks: list[Any] = []

    def reply(ask: Any) -> Any:
        asks.append(ask)
        return 1 + 2 * SIDES + 5 * SIDES**2 if isinstance(ask, Roll) else None

    state = answered(State(True, (3, 0, 2), 2), reply)
    together, *rolls = asks
    assert isinstance(together, Together)
    commits = [ask for ask in together.asks if isinstance(ask, Commit)]
    assert [(ask.seat, ask.slots) for ask in commits] == [(0, (0, 1, 2)), (2, (3, 4))]
    assert not any(ask.chosen for ask in commits)
    assert rolls == [Roll(SIDES**3), Roll(SIDES**2)]
    assert state.cups[0] == ((0, 1), (1, 2), (2, 5))
    assert values(state.cups[0], dict.fromkeys((0, 1, 2), 4)) == (6, 1, 4)


class Loaded(MatchSecrets):
    """A program that lays a face of its choice on every die, instead of drawing."""

    def faces_seed(self, game: bytes, seat: int, serial: int) -> bytes:
        return bytes(MASTER_BYTES)


def test_who_lays_what_it_likes_rolls_as_fairly_as_all_others() -> None:
    seen: list[Counter[int]] = [Counter(), Counter()]
    for seed in range(120):
        table = Table(seed, game=GAME, decide=lambda s, d, r: Recruit(r).decide(s.view), secrets={0: Loaded})
        while not (state := table.seats[0].session.referee.table.state) or not state.cups:
            assert table.step()
        for seat in (0, 1):
            seen[seat].update(values(state.cups[seat], table.seats[seat].session.known))
    for counter in seen:
        assert set(counter) == set(range(1, 7))
        assert 60 < min(counter.values()) <= max(counter.values()) < 145  # 100 are expected


# Leaving


def test_the_dice_of_who_leaves_go_and_the_round_is_void() -> None:
    state = rolled([[1], [2, 2], [3]], bid=Bid(2, 2), turn=1)
    after = drive(GAME.gone(state, 1), lambda _: None)
    assert (after.dice, after.cups, after.bid, after.next) == ((1, 0, 1), (), None, 2)


def test_who_is_out_saves_no_friend_by_leaving() -> None:
    state = rolled([[1], [], [3]], bid=Bid(2, 2), turn=2)
    assert drive(GAME.gone(state, 1), lambda _: None) == state


def test_nobody_pays_for_dice_that_stay_closed() -> None:
    after = answered(
        rolled([[1], [2], [3]], bid=Bid(2, 2), turn=1),
        lambda ask: LIAR if isinstance(ask, Choose) else None if ask.slot == 2 else 1,
    )
    assert (after.dice, GAME.outcome(after)) == ((1, 1, 1), None)
    assert after.shown is not None
    assert after.shown.loser is None


# Words, bot, screens


def test_a_challenge_in_words() -> None:
    before = rolled([[1, 5], [5, 6]], bid=Bid(3, 5), turn=1)
    sentences = words.step(before, challenged([[1, 5], [5, 6]], Bid(3, 5), turn=1), NAMES[:2])
    assert list(sentences) == [
        "Boris calls it a lie.",
        "Anna had [1] [5].",
        "Boris had [5] [6].",
        "There are 3 for 3 × 5.",
        "Boris loses a die.",
    ]
    assert words.moment(before, challenged([[1, 5], [5, 6]], Bid(3, 5), turn=1)) == "challenge"


def test_the_agent_knows_what_is_likely() -> None:
    assert likely(Bid(2, 5), (1, 5, 3), 0, True) == 1.0
    assert likely(Bid(2, 5), (1, 5, 3), 0, False) == 0.0
    assert likely(Bid(1, 2), (), 1, True) == pytest.approx(1 / 3)
    assert likely(Bid(1, 1), (), 2, True) == pytest.approx(11 / 36)
    assert counted(Bid(9, 1), (1, 1, 2), True) == 2


def test_the_agent_beats_one_who_says_anything() -> None:
    won = 0
    for seed in range(60):
        bots: list[Agent | Recruit] = [Agent(Random(seed)), Recruit(Random(-seed))]
        bots = bots[:: 1 - 2 * (seed % 2)]
        won += seed % 2 in play(GAME, bots, {}, Random(seed)).outcome.winners
    assert won >= 54


@pytest.mark.parametrize(("text", "dice"), [("5", True), ("2 5 5", True), ("hello", False), ("7", False)])
def test_a_chat_message_of_dice_is_taken_back(text: str, dice: bool) -> None:
    assert secret(text) is dice


def test_a_bid_is_typed_as_two_numbers() -> None:
    state = rolled([[1, 2], [3, 4]], bid=Bid(1, 6))
    view = View(0, state, {}, Choose(0, [LIAR, *(bid.move for bid in bids(state))]))
    assert next(iter(answers(view))) == LIAR
    assert TERMINAL.questions.read(view, "2  3") == "bid 2 3"
    assert TERMINAL.questions.read(view, "li") == LIAR
    with pytest.raises(Misunderstood, match="liar, 2 1"):
        TERMINAL.questions.read(view, "1 6")


@pytest.mark.parametrize("name", ["first", "bid", "challenge"])
def test_a_screen_as_it_was(name: str, subject: Subject) -> None:
    """After a change that is wanted, set GOLDEN=1 once and read the difference."""
    views = [view for view in subject.played[0] if view.seat == 0]
    pick = {
        "first": lambda view: view.state.round == 1,
        "bid": lambda view: view.state.bid is not None,
        "challenge": lambda view: view.state.shown is not None,
    }[name]
    text = shown(subject, next(filter(pick, views)))
    path = SCREENS / f"{name}.txt"
    if os.environ.get("GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text
