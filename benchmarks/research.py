"""A step of the environment for researchers, beside the rules' own time for the same match."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from benchmarks.measure import Floor, Missing, Sampler, Taken, rounds, slowest, timed
from benchmarks.rules import replaying
from p2p_stratego.registry import GAMES

ROUNDS: Final = 9


def step() -> Taken:
    """An observation with its mask, and an action.  Raises Missing without the extra `research`."""
    try:
        from cli.research.environment import GameEnv  # noqa: PLC0415 - needs an extra
    except ImportError as error:
        raise Missing("The extra research is not installed.") from error
    games = {}
    for name in GAMES:
        actions, replay = _played(GameEnv(name))
        ways = [
            _each(partial(_again, GameEnv(name), actions), len(actions)),
            _each(replay, len(actions)),
        ]
        value, floor = rounds(ROUNDS, *ways)
        games[name] = Taken(value, Floor("rules", floor))
    return slowest(games)


def _played(env: Any) -> tuple[list[int], Callable[[], object]]:
    """The actions of a match by chance, and a call that gives its answers to the rules alone."""
    env.reset(seed=1)
    match, chance, actions = env.match, random.Random(1), list[int]()
    while not match.is_terminal():
        actions.append(chance.choice(match.legal_actions()))
        match.apply_action(actions[-1])
    return actions, replaying(match.rules, match.seats, match.history)


def _again(env: Any, actions: list[int]) -> None:
    env.reset(seed=1)
    for action in actions:
        env.observe(env.agent_selection)
        env.step(action)


def _each(work: Callable[[], object], number: int) -> Sampler:
    sample = timed(work)
    return lambda: sample() / number
