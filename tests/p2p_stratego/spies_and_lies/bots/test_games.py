"""The bots keep every rule, need no secrets, cannot be read, and the agent is the stronger one."""

from __future__ import annotations

import pytest

from p2p_stratego.registry import ENTRIES
from p2p_stratego.spies_and_lies.bots.agent import Agent
from p2p_stratego.spies_and_lies.bots.recruit import Recruit
from p2p_stratego.spies_and_lies.rules.game import GAME
from p2p_stratego.spies_and_lies.rules.state import COUNTS_AS_IDENTIFIED
from tests.helpers.machine.examples import runs
from tests.helpers.machine.fresh import printed_words
from tests.helpers.spies_and_lies.bots import Crook, Make, assert_honest, game


def test_recruits_keep_every_rule_in_many_games() -> None:
    for seed in range(runs(100, 1000)):
        played, states = game((Recruit, Recruit), seed, wall=2 + seed % 7)
        assert_honest(played, states, (0, 1))
        assert played.outcome.reason in ("flag", "territory", "points", "draw")


def test_agents_keep_every_rule() -> None:
    for seed in range(runs(7, 70)):
        played, states = game((Agent, Agent), seed, wall=2 + seed % 7)
        assert_honest(played, states, (0, 1))
        assert played.outcome.reason in ("flag", "territory", "points", "draw")


def test_an_agent_stays_honest_and_keeps_its_head_against_a_crook() -> None:
    caught = 0
    for seed in range(16):
        makes: list[Make] = [Agent, Crook] if seed % 2 else [Crook, Agent]
        played, states = game(makes, seed)
        agent = makes.index(Agent)
        assert_honest(played, states, (agent,))
        caught += agent in played.outcome.winners
    assert caught >= 13


def test_an_agent_beats_a_recruit() -> None:
    # It wins some 98 of 100; a fair match would pass in one run of a hundred.
    won = 0
    for seed in range(16):
        makes: list[Make] = [Agent, Recruit] if seed % 2 else [Recruit, Agent]
        won += makes.index(Agent) in game(makes, seed)[0].outcome.winners
    assert won >= 13


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("level", sorted(ENTRIES[GAME.name].bots))
def test_a_bot_is_a_function_of_its_views_and_its_chance(level: str) -> None:
    make = ENTRIES[GAME.name].bots[level].load()
    assert game((make, make), 7) == game((make, make), 7)


SCRIPT = """
from random import Random
from p2p_stratego.core.self_play import play
from p2p_stratego.spies_and_lies.rules.game import GAME
from p2p_stratego.spies_and_lies.bots.agent import Agent
print(sorted(play(GAME, [Agent(Random(1)), Agent(Random(2))], {}, Random(3)).faces.items()))
"""


def test_row_46_neither_hash_order_nor_locale_changes_a_game() -> None:
    [printed] = printed_words(SCRIPT)
    assert printed.startswith(b"[(0, ")


def test_results_that_count_as_identified_never_befall_an_honest_line_but_by_a_guess() -> None:
    _, states = game((Agent, Recruit), 3)
    reports = [state.report for state in states if state.report is not None]
    assert reports
    for report in reports:
        if report.result in COUNTS_AS_IDENTIFIED:
            assert report.guess == report.soldier
