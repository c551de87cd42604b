"""The environment of PettingZoo (Terry et al. 2021, arXiv:2009.14471): agents act one after the other (AEC).

An observation is a dict: "observation", int16 numbers in the order of `Match.observation`, and "action_mask",
an int8 for each action, 1 where it is legal; all 0 for an agent that does not act now.
"""

from __future__ import annotations

import random
from typing import Any, TypeAlias

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from cli.research.match import Match
from p2p_stratego.core.game import Options, Seat

Observation: TypeAlias = dict[str, NDArray[Any]]
_SMALLEST, _LARGEST = np.iinfo(np.int16).min, np.iinfo(np.int16).max


class GameEnv(AECEnv[str, Observation, int]):  # type: ignore[misc]  # PettingZoo ships no types
    """A game between agents "player_0", "player_1" and so on, one a seat.

    A winner's reward is 1 and a loser's is -1, at the end; all others are 0.  `unwrapped.match` is the match,
    with its texts.
    """

    def __init__(
        self,
        game: str,
        *,
        seats: int | None = None,
        options: Options | None = None,
        render_mode: str | None = None,
    ) -> None:
        """`seats`: the fewest if None.  Raises KeyError, OptionError and NotEncoded."""
        super().__init__()
        self.metadata = {"name": f"{game}_v1", "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = render_mode
        self._game, self._options, self._seeds = game, options, random.Random()
        self.match = Match(game, seats=seats, options=options)
        self.possible_agents = [f"player_{seat}" for seat in range(self.match.seats)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        size, actions = self.match.observation_size(), self.match.num_distinct_actions()
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(_SMALLEST, _LARGEST, (size,), np.int16),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same object for an agent each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The same object for an agent each time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """A new match.  The same seed leads to the same matches, this one and those after it."""
        if seed is not None:
            self._seeds = random.Random(seed)
        self.match = Match(
            self._game, seats=self.match.seats, options=self._options, seed=self._seeds.getrandbits(64)
        )
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def step(self, action: int | None) -> None:
        """The selected agent acts; None from an agent whose match is over.  Raises IllegalAction."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.match.apply_action(-1 if action is None else int(action))
        self._select()
        self._accumulate_rewards()

    def _select(self) -> None:
        """The next agent; at the end of the match every agent is told."""
        if self.match.is_terminal():
            self.terminations = dict.fromkeys(self.agents, True)
            self.rewards = dict(zip(self.possible_agents, self.match.returns(), strict=True))
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[self.match.current_player()]

    def observe(self, agent: str) -> Observation:
        """What an agent sees now."""
        seat: Seat = self._seat_of[agent]
        mask = np.zeros(self.match.num_distinct_actions(), np.int8)
        mask[self.match.legal_actions(seat)] = 1
        return {"observation": np.array(self.match.observation(seat), np.int16), "action_mask": mask}

    def render(self) -> str | None:
        """What the selected agent sees, in sentences, with render_mode "ansi"."""
        return (
            self.match.observation_string(self._seat_of[self.agent_selection]) if self.render_mode else None
        )

    def close(self) -> None:
        """Nothing is held."""


def env(game: str, **terms: Any) -> Any:
    """As GameEnv, where an illegal action loses the match, and acting out of order is an error."""
    legal = wrappers.TerminateIllegalWrapper(GameEnv(game, **terms), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(legal))
