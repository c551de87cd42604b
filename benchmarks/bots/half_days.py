"""`python -m benchmarks.bots.half_days`: the worth of Spies & Lies' equilibrium, and what is won from it.

    gap       what best responders gain in half a day against the equilibrium, and how long it takes to solve
    known     games against a best responder that works out the same odds as the equilibrium
    series    games of `adaptive` in a row against another bot, with its memory of the games before
    bait      the same against a player who plays as `agent` until `adaptive` answers that, and answers back

Mornings and games follow from the seed.  Shares of wins have 95 % intervals (Wilson).
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import sqrt
from statistics import mean, stdev
from typing import Any, Final

from benchmarks.report import machine
from cli.play.arena.figures import NORMAL_95, wilson
from p2p_stratego.core.game import Commit, Face, Move
from p2p_stratego.core.self_play import play
from p2p_stratego.core.view import Bot, View
from p2p_stratego.registry import make_bot
from p2p_stratego.spies_and_lies.bots import equilibrium, solving
from p2p_stratego.spies_and_lies.bots.adaptive import STRANGER, Acquaintance, Adaptive, acquainted, remembered
from p2p_stratego.spies_and_lies.bots.agent import Agent
from p2p_stratego.spies_and_lies.bots.answering import (
    Naming,
    TokenStory,
    answering,
    likely,
    line_answers,
    mark_answer,
    rank_answer,
    token_answer,
)
from p2p_stratego.spies_and_lies.bots.equilibrium import Equilibrium, morning
from p2p_stratego.spies_and_lies.bots.evaluation import win_chance
from p2p_stratego.spies_and_lies.bots.laying import lay
from p2p_stratego.spies_and_lies.bots.lookahead import rehearse
from p2p_stratego.spies_and_lies.bots.solving import Solution, game_of, morning_of
from p2p_stratego.spies_and_lies.bots.styles import STYLES
from p2p_stratego.spies_and_lies.rules.components import SIDES, Rank, Side
from p2p_stratego.spies_and_lies.rules.game import GAME
from p2p_stratego.spies_and_lies.rules.notation import KEEP, LAY, guess
from p2p_stratego.spies_and_lies.rules.observation import own_line
from p2p_stratego.spies_and_lies.rules.state import State

LEAST_FAIR: Final = 10
"""Games of which a deviation is told."""
TRUST: Final = 0.5
"""The part of its decisions that must answer `agent` before a baiter answers back."""


class Responder:
    """A best responder to a player whose half days and guesses are known; it lays and marks the best."""

    def __init__(
        self, chance: random.Random, model: Callable[[State, Side], Solution], names: Naming
    ) -> None:
        """`model`: the player's odds of a morning, by owner; `names`: those of its guesses."""
        self._agent, self._model, self._names = Agent(chance), model, names
        self._chance = chance

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        decision, state, dawn = view.asked, view.state, morning(view)
        side = state.seating.side(view.seat)
        if isinstance(decision, Commit):
            answers = line_answers(game_of(dawn, side), self._model(dawn, side))
            best = max(answers, key=answers.__getitem__)
            return lay(view, decision, {line: float(line == best) for line in answers}, self._chance)
        if state.phase == "intel":
            marks = mark_answer(game_of(dawn, side), self._model(dawn, side), view)
            return self._agent.decide(view) if marks is None else marks
        if LAY in decision.options:
            return token_answer(state, own_line(view)[state.mission - 1] or 0, self._names)
        if side != state.guesser:
            return self._agent.decide(view)
        odds = likely(self._model(dawn, 1 - side), state, list(_stories(view)))
        answers_so_far = tuple(answer for _, answer in view.since)
        return guess(rank_answer(odds, state, answers_so_far)) if odds else self._agent.decide(view)


def _stories(view: View[State]) -> Iterator[TokenStory]:
    """What the owner of the coming card did with its tokens today."""
    state, owner = view.state, 1 - view.state.guesser
    today = [*(earlier for earlier in view.past if earlier.day == state.day), state]
    for before, after in pairwise(today):
        report = after.report
        if report is not None and report.owner == owner and before.tokens[owner]:
            yield TokenStory(before.mission - 1, before.tokens[owner], report.token)
    if state.tokens[owner] and view.since:
        yield TokenStory(state.mission - 1, state.tokens[owner], view.since[-1][1] == LAY)


class KnowsEquilibrium(Responder):
    """Answers `equilibrium`."""

    def __init__(self, chance: random.Random) -> None:
        self._dawn: State | None = None
        super().__init__(chance, solving.solved, self._named)

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        self._dawn = morning(view)
        return super().decide(view)

    def _named(self, state: State, answers: tuple[Move, ...]) -> dict[Rank, float]:
        assert self._dawn is not None
        odds = equilibrium.named(solving.solved(self._dawn, 1 - state.guesser), state, answers)
        total = sum(odds.values())
        return {rank: share / total for rank, share in odds.items()}


def _answer_to_agent(dawn: State, owner: Side) -> Solution:
    return answering(dawn, owner, STYLES["agent"].half_day)


class Baiter:
    """Plays as `agent` until `adaptive` answers that, and then answers the answer."""

    def __init__(self, chance: random.Random, known: Acquaintance) -> None:
        """`known`: what `adaptive` knows of this player when the game begins."""
        self._agent, self._known = Agent(chance), known
        self._dawn: State | None = None
        self._back = Responder(chance, _answer_to_agent, self._named)

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        self._dawn = morning(view)
        side = view.state.seating.side(view.seat)
        trusted = acquainted(self._known, (*view.past, view.state), side).shares(view.state.day)["agent"]
        return (self._back if trusted > TRUST else self._agent).decide(view)

    def _named(self, state: State, answers: tuple[Move, ...]) -> dict[Rank, float]:
        assert self._dawn is not None
        odds = likely(STYLES["agent"].half_day(self._dawn, 1 - state.guesser), state)
        return {rank_answer(odds, state, answers): 1.0} if odds else {}


class Recorded:
    """The rulebook, which keeps every state that it led to."""

    def __init__(self) -> None:
        self.states: list[State] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(GAME, name)

    def outcome(self, state: State) -> Any:
        self.states.append(state)
        return GAME.outcome(state)


def mornings(count: int, seed: int) -> Iterator[tuple[State, Side]]:
    """Mornings of games of `agent` with itself, each for both owners."""
    number = 0
    while True:
        rules: Any = Recorded()
        bots = [Agent(random.Random(f"{seed}/{number}/{seat}")) for seat in SIDES]
        play(rules, bots, {}, random.Random(f"{seed}/{number}/table"))
        for state in rules.states:
            if state.phase == "deploy":
                for owner in SIDES:
                    yield morning_of(state), owner
                    count -= 1
                    if not count:
                        return
        number += 1


def gap(count: int, seed: int) -> Iterator[str]:
    """The gap of each day's solutions, with its parts' times."""
    by_day: dict[int, list[tuple[float, int, float]]] = {}
    for dawn, owner in mornings(count, seed):
        solving.solution_of.cache_clear()
        begun = time.thread_time()
        solution = solving.solved(dawn, owner)
        took = time.thread_time() - begun
        by_day.setdefault(dawn.day, []).append((solution.gap, solution.rounds, took))
    for day, rows in sorted(by_day.items()):
        gaps, rounds, seconds = zip(*rows, strict=True)
        yield (
            f"day {day}: {len(rows)} half days; "
            f"gap {mean(gaps):.4f} of the chance to win, {max(gaps):.4f} at most; "
            f"{mean(rounds):.0f} rounds, {max(rounds)} at most; "
            f"{mean(seconds):.2f} s, {max(seconds):.2f} s at most"
        )


def luck(states: Sequence[State], side: Side) -> float:
    """By how much more than its odds the equilibrium on `side` won in a match, in chance to win.

    Its guesses and its cards fall by lots of which it knows the odds: so this is what each turn brought, less
    what it would have brought on average.  Over matches the average is 0, so a result less its luck is as
    fair as the result, and scatters less (AIVAT: Burch, Schmid, Moravcik, Morrill, Bowling, AAAI 2018).
    """
    total, dawn, stories = 0.0, morning_of(states[0]), list[TokenStory]()
    ways: dict[tuple[Move | Rank, ...], float]
    for before, after in pairwise(states):
        if before.day != dawn.day:
            dawn, stories = morning_of(before), []
        report = after.report
        if report is None or report.guess is None or report.soldier is None:
            continue
        solution = solving.solved(dawn, report.owner)
        answers: tuple[Move, ...] = ()
        if before.tokens[report.owner]:
            answers = (LAY if report.token else KEEP,)
        if report.guesser == side:
            odds = equilibrium.named(solution, before, answers)
            ways = {(*answers, guess(rank), report.soldier): share for rank, share in odds.items()}
        else:
            if answers:
                stories.append(TokenStory(before.mission - 1, before.tokens[report.owner], report.token))
            cards = likely(solution, before, stories)
            ways = {(*answers, guess(report.guess), rank): share for rank, share in cards.items()}
        if ways:
            expected = sum(share * rehearse(before, way, side, win_chance) for way, share in ways.items())
            total += win_chance(after, side) - expected / sum(ways.values())
    return total


Make = Callable[[random.Random, Acquaintance], Bot[Any]]
"""Makes a bot; the acquaintance is what `adaptive`, if it plays, knows of the other player."""
MAKES: Final[dict[str, Make]] = {
    "adaptive": Adaptive,
    "equilibrium": lambda chance, _known: Equilibrium(chance),
    "known": lambda chance, _known: KnowsEquilibrium(chance),
    "bait": Baiter,
}


def games(first: str, second: str, count: int, seed: int) -> Iterator[str]:
    """`first` against `second`, colours alternating, with one memory from game to game; a line every ten."""
    won = drawn = 0
    past: list[tuple[Sequence[State], Side]] = []
    fair: list[float] = []
    """By game: the result, 0 to 1, less the luck of the equilibrium, where it plays."""
    for number in range(count):
        rules: Any = Recorded()
        bots: list[Any] = [None, None]
        known = remembered(past) if first == "adaptive" else STRANGER
        for who, seat in ((first, number % 2), (second, 1 - number % 2)):
            chance = random.Random(f"{seed}/{number}/{who}/{seat}")
            bots[seat] = MAKES[who](chance, known) if who in MAKES else make_bot(GAME.name, who, chance)
        played = play(rules, bots, {}, random.Random(f"{seed}/{number}/table"))
        won += number % 2 in played.outcome.winners
        drawn += not played.outcome.winners
        if "equilibrium" in (first, second):
            ours = number % 2
            its = ours if first == "equilibrium" else 1 - ours
            result = 0.5 if not played.outcome.winners else float(ours in played.outcome.winners)
            fair.append(result - (1 if its == ours else -1) * luck(rules.states, its))
        past.append((rules.states, 1 - number % 2))
        if number % 10 == 9 or number + 1 == count:
            low, high = wilson(won, number + 1)
            yield (
                f"{first} against {second}: {number + 1} games, {won} won, {drawn} drawn; "
                f"{won / (number + 1):.1%}, 95 % confidence interval {low:.1%} to {high:.1%}" + _fairly(fair)
            )


def _fairly(fair: Sequence[float]) -> str:
    if len(fair) < LEAST_FAIR:
        return ""
    half = NORMAL_95 * stdev(fair) / sqrt(len(fair))
    return f"; without luck {mean(fair):.1%}, {mean(fair) - half:.1%} to {mean(fair) + half:.1%}, a draw half"


def main(argv: list[str] | None = None) -> int:
    """Print the figures as they come."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.bots.half_days", description=(__doc__ or "").split("\n", maxsplit=1)[0]
    )
    parser.add_argument("what", choices=("gap", "known", "series", "bait"))
    parser.add_argument("--count", type=int, default=60, help="half days, or games; default: %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="default: %(default)s")
    parser.add_argument("--first", default="adaptive", help="the bot of a series; default: %(default)s")
    parser.add_argument("--against", default="agent", help="its opponent in a series; default: %(default)s")
    arguments = parser.parse_args(argv)
    print(machine())
    pairs = {
        "known": ("known", "equilibrium"),
        "series": (arguments.first, arguments.against),
        "bait": ("adaptive", "bait"),
    }
    if arguments.what == "gap":
        lines = gap(arguments.count, arguments.seed)
    else:
        lines = games(*pairs[arguments.what], arguments.count, arguments.seed)
    for line in lines:
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
