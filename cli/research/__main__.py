"""`python -m cli.research GAME`: how one policy fares against others, and how fast matches are played.

A policy is `random`, any legal action with the same chance, or a bot of the game by its level.  The first has
each seat in turn, the second all other seats of the match.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from cli.games import packages
from cli.research.match import Match
from cli.research.tables import NotEncoded
from p2p_stratego.core.game import Seat
from p2p_stratego.core.view import Chance
from p2p_stratego.registry import ENTRIES, GAMES, NoSuchBot, make_bot

RANDOM: Final = "random"
Policy: TypeAlias = Callable[[Match], Sequence[int]]
"""The next actions of the seat to act, at least one."""


@dataclass(slots=True)
class Tally:
    """The matches so far, as the first policy sees them."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    actions: int = 0
    """Of all seats together."""
    seconds: float = 0.0

    def line(self) -> str:
        """One line."""
        matches = self.won + self.drawn + self.lost
        return (
            f"{matches} matches: won {self.won}, drawn {self.drawn}, lost {self.lost}; "
            f"{self.actions / matches:.0f} actions a match, {self.actions / self.seconds:.0f} a second"
        )


def policy(game: str, name: str, chance: Chance) -> Policy:
    """A policy for one seat of one match.  Raises NoSuchBot."""
    if name == RANDOM:

        def any_legal(match: Match) -> Sequence[int]:
            legal = match.legal_actions()
            return (legal[int(chance.random() * len(legal))],)

        return any_legal
    bot = make_bot(game, name, chance)

    def as_the_bot(match: Match) -> Sequence[int]:
        view = match.view(match.current_player())
        return match.spelt(bot.decide(view))

    return as_the_bot


def contest(game: str, seats: int, names: tuple[str, str], matches: int, seed: int) -> Tally:
    """Play so many matches; the seat to act is shown its observation before each action."""
    result = Tally()
    for number in range(matches):
        rng = random.Random(f"{seed} {number}")
        first: Seat = number % seats
        policies = [
            policy(game, names[seat != first], random.Random(rng.getrandbits(64))) for seat in range(seats)
        ]
        match = Match(game, seats=seats, seed=rng.getrandbits(64))
        begun = time.perf_counter()
        while not match.is_terminal():
            for action in policies[match.current_player()](match):
                match.observation(match.current_player())
                match.apply_action(action)
                result.actions += 1
        result.seconds += time.perf_counter() - begun
        value = match.returns()[first]
        result.won, result.lost = result.won + (value > 0), result.lost + (value < 0)
        result.drawn += value == 0
    return result


def main(words: Sequence[str] | None = None) -> int:
    """Print how the first policy fared; 2 for a policy or a table that there is not."""
    for sentence in packages.load():
        print(sentence, file=sys.stderr)
    parser = argparse.ArgumentParser(prog="python -m cli.research", description=__doc__)
    parser.add_argument("game", choices=tuple(ENTRIES))
    parser.add_argument("--seats", type=int, help="players; the fewest if not given")
    parser.add_argument("--policies", nargs=2, default=(RANDOM, RANDOM), metavar=("FIRST", "OTHERS"))
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(words)
    counts = GAMES[given.game].seat_counts
    seats = counts[0] if given.seats is None else given.seats
    if seats not in counts or given.matches < 1:
        parser.error(f"--seats is one of {', '.join(map(str, counts))}; --matches is 1 or more")
    try:
        result = contest(given.game, seats, tuple(given.policies), given.matches, given.seed)
    except (NoSuchBot, NotEncoded) as error:
        parser.error(str(error))
    print(f"{given.game}, {seats} seats, {' against '.join(given.policies)}: {result.line()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
