"""The strategist: it keeps every rule, plays by its seat's view alone, and counts moves to the flags."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from p2p_stratego.conquest.bots.agent import Agent
from p2p_stratego.conquest.bots.beliefs import Beliefs
from p2p_stratego.conquest.bots.characters import EVEN, Temper
from p2p_stratego.conquest.bots.deployment import REMOTE, best_pick
from p2p_stratego.conquest.bots.evaluation import Weigher
from p2p_stratego.conquest.bots.recruit import Recruit
from p2p_stratego.conquest.bots.strategist import TEMPERS, Strategist
from p2p_stratego.conquest.rules.atlas import CITIES, TERRITORIES, TerritoryId
from p2p_stratego.conquest.rules.draft import picker
from p2p_stratego.conquest.rules.game import GAME
from p2p_stratego.conquest.rules.pieces import KING
from p2p_stratego.conquest.rules.state import SLOTS, State, opening, position
from p2p_stratego.core.game import Commit, Face, Open, OpenTo
from p2p_stratego.core.self_play import PlayedGame, play
from p2p_stratego.core.view import Bot, View


def game(seats: int, seed: int, **options: int | str) -> PlayedGame[State]:
    """A game of a strategist among recruits, in a seat that goes round."""
    bots = [(Strategist if seat == seed else Recruit)(Random(f"{seed}/{seat}")) for seat in range(seats)]
    return play(GAME, bots, options, Random(seed))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_strategists_keep_every_rule_wherever_recruits_lead_them(seats: int) -> None:
    for seed in range(2):
        assert game(seats, seed, scout="charge").outcome.reason in ("flag", "rounds", "draw")
        assert game(seats, seed, garrison="all", rounds=10).outcome.reason in ("flag", "rounds", "draw")


def test_luck_alone_varies_a_game_of_strategists() -> None:
    def state() -> State:
        return play(GAME, [Strategist(Random(seat)) for seat in range(2)], {}, Random(5)).state

    assert state() == state()


def test_moves_that_are_left_draw_a_piece_to_a_flag_within_their_reach() -> None:
    """The enemy's only piece stands two steps away: one move behind this one takes it, and no fewer."""
    state = position(2, GAME.options({}), 0, {0: (0, 0), 2: (1, SLOTS)}, {})

    def pull(moves: int) -> float:
        beliefs = Beliefs(state._replace(phase="move", moves=moves), 0, {0: KING})
        return Weigher(beliefs, TEMPERS[2]).pull(1, KING)

    assert pull(1) < pull(2) == pull(3)


class Laying:
    """An agent that lays its army as it likes, or the other way round; its moves do not matter."""

    def __init__(self, *, turned: bool) -> None:
        self._agent, self._turned = Agent(Random(2)), turned

    def decide(self, view: View[State]) -> Any:
        decided = self._agent.decide(view)
        turns = self._turned and isinstance(view.decision, Commit) and view.state.phase == "army"
        return decided[::-1] if turns else decided


class Noting:
    """A bot, and its decisions until anything was opened or looked at."""

    def __init__(self, bot: Bot[State]) -> None:
        self._bot, self.closed, self.decided = bot, True, list[str | tuple[Face, ...]]()

    def decide(self, view: View[State]) -> Any:
        decided = self._bot.decide(view)
        seen = any(isinstance(ask, Open | OpenTo) for ask, _answer in view.since)
        self.closed &= not seen and view.state.mixes == 0
        self.closed &= all(piece is None or piece.face is None for piece in view.state.board)
        if self.closed:
            self.decided.append(decided)
        return decided


def test_a_strategist_plays_by_its_seats_view_alone() -> None:
    """What the other side laid changes nothing until a piece was opened."""
    noted = []
    for turned in (False, True):
        bot = Noting(Strategist(Random(1)))
        play(GAME, [bot, Laying(turned=turned)], {}, Random(4))
        noted.append(bot.decided)
    first, second = noted
    assert len(first) > len(TEMPERS) + 12
    assert first == second


def drafted(seats: int, temper: Temper) -> list[TerritoryId]:
    """The land of seat 0, which picks by this temper, among agents."""
    state, chance = opening(seats, GAME.options({}), 0), Random(1)
    for number in range(len(TERRITORIES)):
        seat = picker(state, number)
        pick = best_pick(state, seat, chance, EVEN if seat else temper)
        state = state._replace(taken=put(state.taken, pick, seat))
    return [place for place, seat in enumerate(state.taken) if seat == 0]


def put(taken: tuple[int | None, ...], place: TerritoryId, seat: int) -> tuple[int | None, ...]:
    return (*taken[:place], seat, *taken[place + 1 :])


def test_with_two_it_takes_cities_and_with_four_land_apart_from_the_others() -> None:
    agents, apart = drafted(4, EVEN), drafted(4, TEMPERS[4])
    assert sum(REMOTE[place] for place in apart) > sum(REMOTE[place] for place in agents) + 1
    assert len(CITIES.intersection(drafted(2, TEMPERS[2]))) > len(CITIES.intersection(drafted(2, TEMPERS[4])))
