"""The environment of PettingZoo: its own tests, seeds, masks and rewards."""

from __future__ import annotations

import textwrap
import warnings
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pettingzoo", reason='the extra "research" is not installed')

import numpy as np
from pettingzoo.test import api_test, seed_test

from cli.research.environment import GameEnv, env
from cli.research.match import IllegalAction

GAMES = [("stratego", 2), ("conquest", 2), ("spies", 3), ("spies-and-lies", 4)]
QUICK = {"army": "barrage", "quiet": 20}
ADVICE = "Observation (is not a NumPy array|space for each agent probably should be)"
"""What its API test says of every environment with a mask that is none of PettingZoo's own."""


@pytest.mark.parametrize("of", [GameEnv, env])
@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_it_passes_the_api_test_of_pettingzoo(game: str, seats: int, of: type[GameEnv]) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ADVICE, UserWarning)
        api_test(of(game, seats=seats), num_cycles=60)
    assert of(game, seats=seats).unwrapped.possible_agents == [f"player_{seat}" for seat in range(seats)]


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_it_passes_the_seed_test_of_pettingzoo(game: str, seats: int) -> None:
    seed_test(lambda: env(game, seats=seats), num_cycles=30)
    environment, other = GameEnv(game, seats=seats), GameEnv(game, seats=seats)
    for here in (environment, other):
        here.reset(seed=5)
        here.reset()
    assert environment.match.information_state_string(0) == other.match.information_state_string(0)


def test_masks_are_what_is_legal_and_rewards_come_at_the_end() -> None:
    here = env("stratego", options=QUICK)
    here.reset(seed=4)
    rng, rewards = np.random.default_rng(4), dict.fromkeys(here.possible_agents, 0.0)
    for agent in here.agent_iter():
        observation, reward, over, cut, _ = here.last()
        rewards[agent] += reward
        mask = observation["action_mask"]
        if over or cut:
            here.step(None)
            continue
        assert list(np.flatnonzero(mask)) == here.unwrapped.match.legal_actions()
        others = [here.observe(other)["action_mask"].any() for other in here.agents if other != agent]
        assert others == [False]
        here.step(int(rng.choice(np.flatnonzero(mask))))
    assert list(rewards.values()) == here.unwrapped.match.returns()


def test_an_illegal_action_loses_in_the_wrapped_environment_and_is_refused_in_the_bare_one() -> None:
    bare = GameEnv("spies-and-lies")
    bare.reset(seed=1)
    illegal = int(np.flatnonzero(bare.observe(bare.agent_selection)["action_mask"] == 0)[0])
    with pytest.raises(IllegalAction):
        bare.step(illegal)
    wrapped = env("spies-and-lies")
    wrapped.reset(seed=1)
    loser = wrapped.agent_selection
    wrapped.step(illegal)
    assert wrapped.unwrapped.rewards[loser] == -1


def test_the_example_of_the_page_plays_a_match() -> None:
    page = (Path(__file__).parents[3] / "docs" / "research.md").read_text(encoding="utf-8")
    _, _, rest = page.partition("    from cli.research")
    example = textwrap.dedent("    from cli.research" + rest.partition("\n\n**")[0])
    names: dict[str, Any] = {}
    exec(example, names)  # noqa: S102 - our own page
    assert names["game"].unwrapped.match.is_terminal()


def test_it_is_shown_in_sentences() -> None:
    here = GameEnv("conquest", render_mode="ansi")
    here.reset(seed=1)
    assert here.render() == here.match.observation_string(here.match.current_player())
    assert GameEnv("conquest").render_mode is None
