"""The bots against each other: the agent wins, and breaks no rule."""

from __future__ import annotations

import sys
from random import Random

from p2p_stratego.core.self_play import play
from p2p_stratego.spies.bots.agent import Agent
from p2p_stratego.spies.bots.recruit import Recruit
from p2p_stratego.spies.rules.game import GAME


def won(first: int, last: int) -> int:
    """How many of these games an agent wins, on each seat in turn, against two recruits."""
    wins = 0
    for seed in range(first, last):
        agent = seed % 3
        bots = [(Agent if seat == agent else Recruit)(Random(f"{seed}/{seat}")) for seat in range(3)]
        wins += agent in play(GAME, bots, {}, Random(seed)).outcome.winners
    return wins


def test_an_agent_beats_two_recruits() -> None:
    """A small sample; `python -m tests.p2p_stratego.spies.bots.test_games 100` plays as many as one likes."""
    assert won(0, 4) >= 3


def test_agents_break_no_rule_whatever_is_secret() -> None:
    bots = [Agent(Random(seat)) for seat in range(4)]
    done = play(GAME, bots, {"allocation": "bid", "purse": "secret"}, Random(7))
    assert done.outcome.reason in ("points", "money", "draw")


if __name__ == "__main__":
    number = int(sys.argv[1])
    print(f"the agent wins {won(0, number)} of {number}")
