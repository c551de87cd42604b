"""Whole games of the bots: no rule is ever broken, luck alone varies them, the agent is stronger."""

from __future__ import annotations

from random import Random

import pytest

from p2p_stratego.conquest.bots.agent import Agent
from p2p_stratego.conquest.bots.beliefs import Beliefs
from p2p_stratego.conquest.bots.recruit import Recruit
from p2p_stratego.conquest.rules.game import GAME
from p2p_stratego.conquest.rules.state import State
from p2p_stratego.conquest.rules.underway import now
from p2p_stratego.core.game import Face, Move
from p2p_stratego.core.self_play import Leaves, PlayedGame, play
from p2p_stratego.core.view import View
from tests.helpers.machine.examples import runs

VARIANTS: list[dict[str, int | str]] = [
    {},
    {"garrison": "all"},
    {"scout": "charge"},
    {"rounds": 2},
    {"garrison": "all", "scout": "charge", "rounds": 30},
]


def game(seats: int, seed: int, **options: int | str) -> PlayedGame[State]:
    """A game of agents and recruits in turn."""
    bots = [(Agent, Recruit)[(seat + seed) % 2](Random(f"{seed}/{seat}")) for seat in range(seats)]
    return play(GAME, bots, options, Random(seed))


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_bots_never_break_a_rule_and_every_game_ends(seats: int, options: dict[str, int | str]) -> None:
    for seed in range(2):
        assert game(seats, seed, **options).outcome.reason in ("flag", "rounds", "draw")


def leaving(seat: int, when: int) -> Leaves:
    """This seat leaves before the Ask of this number."""
    return lambda number, _: [seat] if number == when else []


@pytest.mark.parametrize("seats", [3, 4])
def test_agents_play_on_when_others_leave(seats: int) -> None:
    for seed in range(runs(2, 20)):
        when = Random(seed).randrange(20, 500)
        bots = [Agent(Random(f"{seed}/{seat}")) for seat in range(seats)]
        played = play(GAME, bots, {}, Random(seed), leaving(seed % seats, when))
        assert played.outcome.reason in ("flag", "rounds", "draw", "deserted")


def test_luck_alone_varies_a_game() -> None:
    once = game(3, 5).state
    assert once == game(3, 5).state != game(3, 7).state


@pytest.mark.parametrize(("seats", "least"), [(2, 9), (4, 7)])
def test_the_agent_is_stronger_than_recruits(seats: int, least: int) -> None:
    """Of ten games; `p2p-stratego arena conquest --seats 4` plays as many as wanted."""
    won = 0
    for seed in range(10):
        own = seed % seats
        bots = [(Agent if seat == own else Recruit)(Random(f"{seed}/{seat}")) for seat in range(seats)]
        won += own in play(GAME, bots, {}, Random(seed)).outcome.winners
    assert won >= least


class Believer(Agent):
    """An agent whose beliefs are held against what lies there."""

    def __init__(self, chance: Random) -> None:
        super().__init__(chance)
        self.seen: list[Beliefs] = []

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        if view.state.phase in ("play", "move"):
            self.seen.append(Beliefs(now(view), view.seat, dict(view.known)))
        return super().decide(view)


def test_what_the_agent_believes_is_never_ruled_out_by_what_is() -> None:
    """Of every closed enemy piece the true face has a chance, and all chances together are 1."""
    bots = [Believer(Random(seat)) for seat in range(3)]
    played = play(GAME, bots, {"rounds": 12}, Random(4))
    looked = 0
    for bot in bots:
        for beliefs in bot.seen:
            for piece in beliefs.state.board:
                if piece is not None and piece.seat != beliefs.seat:
                    chances = beliefs.chances(piece)
                    assert sum(chances.values()) == pytest.approx(1)
                    assert chances[played.faces[piece.slot]] > 0
                    looked += 1
            assert sum(beliefs.flag_zones().values()) <= 2 + 1e-9
    assert looked > 1000
