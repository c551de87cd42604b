"""`python -m benchmarks.ladder`: the bots of every game against each other, and their ratings by Glicko-2.

    python -m benchmarks.ladder [--rounds 20] [--game stratego] [--seed 1] [--write]

Each round is a rating period: every two bots of a game play one game in each colour.  It prints each pair,
with a 95 % interval, and the ratings; --write puts them into cli/studies/statistics/ratings.json, where
the ladder of the program reads them.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Final

from cli.play.arena.figures import wilson
from cli.studies.statistics.glicko import Game, Rating, over_time
from p2p_stratego.core import strict_json
from p2p_stratego.core.characters import CHARACTERS
from p2p_stratego.core.entry import GameEntry
from p2p_stratego.core.self_play import play
from p2p_stratego.registry import ENTRIES, OWN, make_bot

GUIDE: Final = Path(__file__).parents[1] / "docs" / "guide" / "opponents.md"
HEAD: Final = """## How strong they are

`make ladder` plays every two opponents of a game against each other at a table of two, and rates them. The
program ships the result (with 95 % certainty). Five opponents have no rating yet and stand at the top: the
Mathematician, the Chameleon, the Marshal, the Strategist and the Spymaster. Wins by hints count as yours.

"""
FILE: Final = Path(__file__).parents[1] / "cli" / "studies" / "statistics" / "ratings.json"


def one_game(entry: GameEntry, pair: tuple[str, str], seed: str) -> float:
    """The score of the first of two levels, which has seat 0: 1, ½ or 0."""
    bots = [make_bot(entry.name, level, random.Random(f"{seed}/{seat}")) for seat, level in enumerate(pair)]
    rules = entry.rules.load()
    outcome = play(rules, bots, {}, random.Random(seed)).outcome
    return float(0 in outcome.winners) if outcome.winners else 0.5


def rounds(entry: GameEntry, levels: Sequence[str], count: int, seed: int) -> Iterator[list[Game]]:
    """The games of each round, by level."""
    for number in range(count):
        yield [
            Game(first, second, one_game(entry, (first, second), f"{seed}/{number}/{first}/{second}"))
            for pair in combinations(levels, 2)
            for first, second in (pair, pair[::-1])
        ]


def rated(played: Sequence[Sequence[Game]]) -> dict[str, Rating]:
    """The ratings after all rounds."""
    history = over_time(list(enumerate(played)))
    return {level: by_round[-1][1] for level, by_round in history.items()}


def pairs(played: Sequence[Sequence[Game]], levels: Sequence[str]) -> Iterator[str]:
    """How each two fared, the best against all others first."""
    for one, other in combinations(levels, 2):
        scores = [
            game.score if game.one == one else 1 - game.score
            for games in played
            for game in games
            if {game.one, game.other} == {one, other}
        ]
        low, high = wilson(round(sum(scores)), len(scores))
        share = sum(scores) / len(scores)
        yield f"  {one} against {other}: {share:.1%} of {len(scores)} games (95 %: {low:.1%} to {high:.1%})"


def written(ratings: Mapping[str, Mapping[str, Sequence[float]]]) -> str:
    """The ratings as JSON, a line for each bot."""
    games = []
    for game, by_level in ratings.items():
        rows = [f"  {json.dumps(level)}: {json.dumps(values)}" for level, values in by_level.items()]
        games.append(f"{json.dumps(game)}: {{\n" + ",\n".join(rows) + "\n}")
    return "{\n" + ",\n".join(games) + "\n}\n"


def table(ratings: Mapping[str, Mapping[str, Sequence[float]]]) -> str:
    """The ratings as the end of the guide's page about opponents."""
    levels = list(dict.fromkeys(level for by_level in ratings.values() for level in by_level))[::-1]
    names = [
        CHARACTERS[level].name.removeprefix("The ") if level in CHARACTERS else level for level in levels
    ]
    rows = [
        [ENTRIES[game].title, *(_told(by_level.get(level)) for level in levels)]
        for game, by_level in ratings.items()
    ]
    lines = [["", *names], ["---"] * (len(names) + 1), *rows]
    return HEAD + "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def _told(values: Sequence[float] | None) -> str:
    return "" if values is None else f"{values[0]:.0f} ± {2 * values[1]:.0f}"


def main(argv: list[str] | None = None) -> int:
    """Play, print and perhaps write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ladder", description=__doc__.splitlines()[0])
    parser.add_argument("--game", choices=sorted(OWN), action="append", default=[])
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args(argv)
    known = strict_json.read(FILE.read_bytes())
    for name in arguments.game or [*ENTRIES]:
        entry = ENTRIES[name]
        levels = [*entry.bots]
        played = []
        for games in rounds(entry, levels, arguments.rounds, arguments.seed):
            played.append(games)
            if sys.stderr.isatty():
                sys.stderr.write(f"\r{name}: {len(played)} of {arguments.rounds} rounds ")
        ratings = rated(played)
        sys.stdout.write("\n".join([f"{name}:", *pairs(played, levels), ""]))
        for level in sorted(levels, key=lambda level: -ratings[level].rating):
            rating, deviation, _volatility = ratings[level]
            sys.stdout.write(f"  {level}: {rating:.0f}, give or take {2 * deviation:.0f}\n")
        sys.stdout.flush()
        known[name] = {level: [*map(_rounded, ratings[level])] for level in levels}
        if arguments.write:
            FILE.write_text(written(known))
            page = GUIDE.read_text(encoding="utf-8")
            GUIDE.write_text(page[: page.index(HEAD)] + table(known), encoding="utf-8")
    return 0


def _rounded(value: float) -> float:
    return round(value, 3)


if __name__ == "__main__":
    sys.exit(main())
