"""`python -m benchmarks.arena`: how often one bot beats another, and how long it thinks.

They play by the rules alone, with the same View that a match over the network gives them.  At a table of more
than two the first bot has all seats of one side, the second all the others.  The sides take turns, so that
neither has the first move more often; every game has its own seed, so that any one can be repeated.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import sqrt
from statistics import mean
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from benchmarks.report import machine
from p2p_stratego.core.game import Game, OptionError, Options, OptionValue, Seat
from p2p_stratego.core.self_play import Decided, play
from p2p_stratego.core.view import Bot, View
from p2p_stratego.registry import ENTRIES, GAMES, NoSuchBot, make_bot

NORMAL_95: Final = 1.959964
"""The quantile of the normal distribution for two-sided 95 %."""


@dataclass(slots=True)
class Clocked:
    """A bot, and the seconds it thought about each decision.

    Of its own thread's time on a processor: what else the machine does meanwhile is not the bot's doing.
    """

    bot: Bot[Any]
    seconds: list[float]

    def decide(self, view: View[Any]) -> Decided:
        begun = time.thread_time()
        decided = self.bot.decide(view)
        self.seconds.append(time.thread_time() - begun)
        return decided


@dataclass(slots=True)
class Tally:
    """The games so far, as the first bot sees them."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    seconds: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))
    points: list[tuple[int, int]] = field(default_factory=list)
    """By game, where the rules count points: the best score of the first bot's seats, and of the others."""

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost


def wilson(won: int, games: int) -> tuple[float, float]:
    """The 95 % confidence interval of a share of wins (Wilson, 1927); good near 0 and 1 too."""
    share, square = won / games, NORMAL_95**2
    middle = (share + square / (2 * games)) / (1 + square / games)
    half = NORMAL_95 / (1 + square / games) * sqrt(share * (1 - share) / games + square / (4 * games**2))
    return middle - half, middle + half


class Table(NamedTuple):
    """What is played, but for the game."""

    seats: int = 2
    options: Options = MappingProxyType({})


TWO: Final = Table()


def match(
    game: Game[Any], levels: tuple[str, str], games: int, seed: int, table: Table = TWO
) -> Iterator[Tally]:
    """Play `games` games between bots of two levels; the tally after each one.  Raises OptionError."""
    tally = Tally()
    seats, options = table
    sides = game.sides(seats)
    for number in range(games):
        own = sides[number % len(sides)]
        seated: dict[Seat, Clocked] = {}
        # By the first bot's seats, then the others: with two, a bot has the same chance in either colour.
        for place, seat in enumerate(sorted(range(seats), key=lambda seat: (seat not in own, seat))):
            which = int(seat not in own)
            bot = make_bot(game.name, levels[which], _chance(seed, number, levels[which], place))
            seated[seat] = Clocked(bot, tally.seconds[which])
        bots = [seated[seat] for seat in range(seats)]
        played = play(game, bots, options, _chance(seed, number, "table", 2))
        outcome = played.outcome
        scores: tuple[int, ...] = getattr(played.state, "scores", ())
        if scores:
            best = [
                max(scores[seat] for seat in range(seats) if (seat in own) is ours) for ours in (True, False)
            ]
            tally.points.append((best[0], best[1]))
        tally.won += not own.isdisjoint(outcome.winners)
        tally.drawn += not outcome.winners
        tally.lost += bool(outcome.winners) and own.isdisjoint(outcome.winners)
        yield tally


def _chance(seed: int, number: int, who: str, place: int) -> random.Random:
    return random.Random(f"{seed}/{number}/{who}/{place}")


def told(tally: Tally, levels: tuple[str, str], seats: int = 2) -> str:
    """The results of the games so far, one line a figure."""
    low, high = wilson(tally.won, tally.games)
    seating = "colours alternating" if seats == 2 else f"{seats} seats, sides taking turns"
    lines = [
        f"{levels[0]} against {levels[1]}: {tally.games} games, {seating}",
        f"  {tally.won} won, {tally.drawn} drawn, {tally.lost} lost",
        f"  {tally.won / tally.games:.1%} won, 95 % confidence interval {low:.1%} to {high:.1%}",
    ]
    if tally.points:
        ours, theirs = (mean(points) for points in zip(*tally.points, strict=True))
        lines.append(f"  {ours:.1f} points on average, the best of the others {theirs:.1f}")
    for level, seconds in zip(levels, tally.seconds, strict=True):
        each, most = 1000 * mean(seconds), 1000 * max(seconds)
        times = f"{each:.2f} ms a decision, {most:.1f} ms at most"
        lines.append(f"  {level}: {times} ({len(seconds)} decisions, processor time)")
    return "\n".join(lines)


def _option(text: str) -> tuple[str, OptionValue]:
    name, _, value = text.partition("=")
    return name, int(value) if value.isdecimal() else value


def _arguments(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.arena", description="Bots against each other."
    )
    parser.add_argument("--game", choices=sorted(ENTRIES), default="spies-and-lies")
    parser.add_argument(
        "--option",
        type=_option,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the game, e.g. army=classic; as often as needed",
    )
    parser.add_argument(
        "--seats", type=int, default=2, help="players; the first bot has one side; default: %(default)s"
    )
    parser.add_argument("--games", type=int, default=1000, help="how many; default: %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="default: %(default)s")
    parser.add_argument("--a", default="agent", help="the bot whose wins are counted; default: %(default)s")
    parser.add_argument("--b", default="recruit", help="the other one; default: %(default)s")
    parser.add_argument(
        "--at-least", type=float, metavar="SHARE", help="exit 1 if fewer games are won, e.g. 0.75"
    )
    arguments = parser.parse_args(argv)
    if arguments.games < 1:
        parser.error("--games must be at least 1")
    counts = GAMES[arguments.game].seat_counts
    if arguments.seats not in counts:
        parser.error(f"--seats must be one of {', '.join(map(str, counts))}")
    for level in (arguments.a, arguments.b):
        if level not in ENTRIES[arguments.game].bots:
            parser.error(str(NoSuchBot(arguments.game, level)))
    try:
        arguments.options = GAMES[arguments.game].options(dict(arguments.option))
    except OptionError as error:
        parser.error(str(error))
    return arguments


def main(argv: list[str] | None = None) -> int:
    """Play, show progress on a terminal, print the figures; 1 if a share asked for is missed."""
    arguments = _arguments(argv)
    levels = (arguments.a, arguments.b)
    tally = Tally()
    game, options = GAMES[arguments.game], arguments.options
    for tally in match(game, levels, arguments.games, arguments.seed, Table(arguments.seats, options)):
        if sys.stderr.isatty():
            share = tally.won / tally.games
            sys.stderr.write(f"\r{tally.games} of {arguments.games} games, {share:.1%} won ")
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
    played = ", ".join([game.name, *(f"{name} {value}" for name, value in options.items())])
    sys.stdout.write(f"{machine()}: {played}\n{told(tally, levels, arguments.seats)}\n")
    wanted = arguments.at_least
    return int(wanted is not None and tally.won < wanted * tally.games)


if __name__ == "__main__":
    sys.exit(main())
