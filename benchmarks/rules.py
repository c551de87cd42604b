"""Figures of the games alone: an answer that the rules take, and a decision of the strongest bot."""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable, Sequence
from typing import Any, Final, cast

from benchmarks import floors
from benchmarks.measure import Floor, Sampler, Taken, exact, rounds, slowest, timed
from cli.play.arena.contest import Clocked
from p2p_stratego.core.game import Ask, Choose, Game, Together, Turn
from p2p_stratego.core.rulebook import drive
from p2p_stratego.core.self_play import play
from p2p_stratego.registry import GAMES, make_bot

ROUNDS: Final = 15
GAMES_OF_BOTS: Final = 5
"""Of each game; all are the same, so they differ by the machine alone."""


class Kept:
    """The rulebook of a game; keeps each Ask of a game with its answer."""

    def __init__(self, game: Game[Any]) -> None:
        self.answers: list[tuple[Any, Any]] = []
        self._game = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def setup(self, seats: int, options: Any) -> Turn[Any]:
        """See Game."""
        return (yield from self._keeping(self._game.setup(seats, options)))

    def turn(self, state: Any) -> Turn[Any]:
        """See Game."""
        return (yield from self._keeping(self._game.turn(state)))

    def _keeping(self, turn: Turn[Any]) -> Turn[Any]:
        reply: Any = None
        while True:
            try:
                ask = turn.send(reply)
            except StopIteration as end:
                return end.value
            reply = yield ask
            self.answers.append((ask, reply))


def replayed(name: str, seed: int = 1) -> tuple[int, Callable[[], object]]:
    """The number of answers of a game between recruits, and a call that gives them all to the rules anew."""
    game, rng = GAMES[name], random.Random(seed)
    seats = min(game.seat_counts)
    kept = Kept(game)
    bots = [make_bot(name, "recruit", random.Random(rng.random())) for _ in range(seats)]
    played = play(cast("Game[Any]", kept), bots, {}, rng)

    replay = replaying(game, seats, kept.answers)
    if replay() != played.state:
        raise AssertionError("the answers lead elsewhere")
    return len(kept.answers), replay


def replaying(game: Game[Any], seats: int, answers: Sequence[tuple[Ask, Any]]) -> Callable[[], object]:
    """A call that gives all these answers to the rules anew, and returns the last state."""

    def replay() -> object:
        left = iter(answers)

        def answer(_: Any) -> Any:
            ask, given = next(left)
            parts = zip(ask.asks, given, strict=True) if isinstance(ask, Together) else ((ask, given),)
            if any(isinstance(part, Choose) and decided not in part.options for part, decided in parts):
                raise AssertionError(f"{given} was no option")
            return given

        state = drive(game.setup(seats, game.options({})), answer)
        while game.outcome(state) is None:
            state = drive(game.turn(state), answer)
        return state

    return replay


def answer() -> Taken:
    """An answer taken by the rules; each costs at least the check of one signature."""
    games = {name: replayed(name) for name in GAMES}
    samplers = [_each(replay, number) for number, replay in games.values()]
    *taken, floor = rounds(ROUNDS, *samplers, floors.verification())
    verify = Floor("verify", floor)
    return slowest({name: Taken(value, verify) for name, value in zip(games, taken, strict=True)})


def _each(replay: Callable[[], object], number: int) -> Sampler:
    sample = timed(replay)
    return lambda: sample() / number


def _thinking(name: str) -> tuple[float, float]:
    """Processor seconds at the 99th percentile of one game's decisions: an agent's, and a recruit's."""
    levels = ("agent", "recruit")
    bots = [Clocked(make_bot(name, level, random.Random(1)), []) for level in levels]
    play(GAMES[name], bots, {}, random.Random(1))
    agent, recruit = (statistics.quantiles(bot.seconds, n=100, method="inclusive")[98] for bot in bots)
    return agent, recruit


def decision() -> Taken:
    """A decision of an agent, the 99th of a hundred, beside those of its opponent, a recruit."""
    games = {}
    for name in GAMES:
        recruits = list[float]()

        def agent(name: str = name, recruits: list[float] = recruits) -> float:
            strong, weak = _thinking(name)
            recruits.append(weak)
            return strong

        [value] = rounds(GAMES_OF_BOTS, agent)
        games[name] = Taken(value, Floor("recruit", exact(statistics.median(recruits))))
    return slowest(games)
