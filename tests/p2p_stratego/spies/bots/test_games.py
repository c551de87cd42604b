"""The bots against each other: the agent wins, breaks no rule, and uses the whole game.

`python -m tests.p2p_stratego.spies.bots.test_games 20` plays so many games of agents alone for each number of
players and allocation, with open and secret purses, and tells the slowest decision.
"""

from __future__ import annotations

import sys
from collections import Counter
from random import Random
from time import thread_time

import pytest

from p2p_stratego.core.game import Choose, Face, Move
from p2p_stratego.core.self_play import play
from p2p_stratego.core.view import View
from p2p_stratego.spies.bots.agent import Agent
from p2p_stratego.spies.bots.recruit import Recruit
from p2p_stratego.spies.rules.allocation import OFFERED
from p2p_stratego.spies.rules.game import GAME
from p2p_stratego.spies.rules.state import State
from p2p_stratego.spies.rules.turn.trade import Proposals

SLOWEST = 1.0
"""Seconds that a decision may take."""


class Clocked:
    """An agent with the time of its decisions and their words; a recruit decides for it now and then."""

    def __init__(self, seed: str, wild: float = 0.0) -> None:
        self._agent, self._recruit = Agent(Random(seed)), Recruit(Random(seed))
        self._wild, self._chance = wild, Random(seed)
        self.slowest = 0.0
        self.words: Counter[str] = Counter()

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        if self._chance.random() < self._wild:
            return self._recruit.decide(view)
        begun = thread_time()
        decided = self._agent.decide(view)
        self.slowest = max(self.slowest, thread_time() - begun)
        if isinstance(decided, str):
            self.words[decided.split(" ")[0]] += 1
        return decided


def game(seats: int, seed: int, wild: float = 0.0, **options: str) -> list[Clocked]:
    """Agents alone, to the end of the game by its rules; a choice that the rules do not allow raises."""
    bots = [Clocked(f"{seed}/{seat}", wild) for seat in range(seats)]
    done = play(GAME, bots, options, Random(seed))
    assert done.outcome.reason in ("points", "money", "draw")
    assert done.state.year in (1938, 1939)
    return bots


def won(first: int, last: int) -> int:
    """How many of these games an agent wins, on each seat in turn, against two recruits."""
    wins = 0
    for seed in range(first, last):
        agent = seed % 3
        bots = [(Agent if seat == agent else Recruit)(Random(f"{seed}/{seat}")) for seat in range(3)]
        wins += agent in play(GAME, bots, {}, Random(seed)).outcome.winners
    return wins


def test_an_agent_beats_two_recruits() -> None:
    """A small sample; `p2p-stratego arena spies --seats 3` plays as many as one likes."""
    assert won(0, 2) == 2


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (2, {"allocation": "bid", "purse": "secret", "handicap": "sum"}),
        (3, {"allocation": "alternate", "handicap": "lower"}),
        (4, {"allocation": "bid"}),
        (5, {"purse": "secret", "alliances": "yes"}),
    ],
)
def test_no_position_leads_the_agent_to_break_a_rule(seats: int, options: dict[str, str]) -> None:
    """Recruits make half of the choices, so that the agent meets what it would never have chosen."""
    for bot in game(seats, seats, 0.5, **options):
        assert bot.slowest < SLOWEST


class Listening:
    """A recruit, and the most trades that it proposed in a turn."""

    def __init__(self, seed: str) -> None:
        self._recruit, self.trades = Recruit(Random(seed)), Counter[tuple[int, int]]()

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        decided = self._recruit.decide(view)
        if isinstance(view.decision, Choose) and isinstance(view.decision.options, Proposals):
            self.trades[view.state.year, view.state.power] += 1
        return decided


def test_a_recruit_proposes_one_trade_a_turn_at_most() -> None:
    """Each is a question to somebody: one of 20 in a row was a flood."""
    bots = [Listening(str(seat)) for seat in range(2)]
    play(GAME, bots, {}, Random(4))
    trades = bots[0].trades + bots[1].trades
    assert trades
    assert max(trades.values()) == 1


def test_agents_use_the_whole_game() -> None:
    words: Counter[str] = Counter()
    for bot in game(4, 9, allocation="bid", purse="secret"):
        words += bot.words
        assert bot.slowest < SLOWEST
    for word in (
        "tile",
        "police",
        "search",
        "move",
        "sail",
        "land",
        "discovery",
        "cash",
        "bid",
        "cover",
        "papers",
    ):
        assert words[word], word


def campaign(games: int) -> None:
    """Every number of players, allocation, purse and handicap that goes with it."""
    for (seats, allocation), number in ((offer, number) for offer in OFFERED for number in range(games)):
        options = {
            "allocation": allocation,
            "purse": ("open", "secret")[number % 2],
            "handicap": ("even", "none", "lower", "sum")[number % 4],
        }
        bots = game(seats, number, (0.0, 0.0, 0.3)[number % 3], **options)
        slowest = max(bot.slowest for bot in bots)
        assert slowest < SLOWEST
        if number == games - 1 or slowest > SLOWEST / 2:
            print(
                f"{seats} players, {allocation}: {number + 1} games, {1000 * slowest:.0f} ms in the last one"
            )


if __name__ == "__main__":
    campaign(int(sys.argv[1]))
