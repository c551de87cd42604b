"""`python -m benchmarks.bots.ladder`: the bots of every game among themselves, and their ratings by Glicko-2.

    python -m benchmarks.bots.ladder [--rounds 20] [--game stratego] [--kept FOLDER [--part 1/2]] [--write]
    python -m benchmarks.bots.ladder --shipped

In a round every two bots of a game play one game in each colour; those that think for seconds sit out most
rounds (EVERY).  PERIOD rounds are a rating period.  It prints each pair with a 95 % interval, and the
ratings; --write puts them into cli/studies/statistics/ratings.json, where the ladder of the program reads
them, and into the guide.  --shipped prints what stands there.

Each game follows from the seed, its round and its two bots.  With --kept all games are written down as they
end, and none is played twice: a run can be stopped, go on, and be parted between processes, each with its
--part; the run without --part then has the same games as a single one.  Games of other bots do not count: the
files carry a digest of their sources.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import combinations
from math import inf
from pathlib import Path
from textwrap import fill
from time import process_time
from typing import Final, NamedTuple

from cli.play.arena.figures import wilson
from cli.studies.statistics.glicko import Game, Rating, expected, over_time
from p2p_stratego.core import strict_json
from p2p_stratego.core.characters import CHARACTERS
from p2p_stratego.core.entry import GameEntry
from p2p_stratego.core.narration import listed
from p2p_stratego.core.self_play import play
from p2p_stratego.core.sides import score
from p2p_stratego.registry import ENTRIES, OWN, make_bot

ROOT: Final = Path(__file__).parents[2]
GUIDE: Final = ROOT / "docs" / "guide" / "opponents.md"
HEADING: Final = "## How strong they are\n"
FILE: Final = ROOT / "cli" / "studies" / "statistics" / "ratings.json"
SOURCES: Final = ROOT / "p2p_stratego"
PERIOD: Final = 10
"""Rounds of a rating period: each bot plays in each (Glickman, Example of the Glicko-2 system, 2022)."""
EVERY: Final[Mapping[str, Mapping[str, int]]] = {
    "spies-and-lies": {"equilibrium": 10, "adaptive": 10},
    "spies": dict.fromkeys(ENTRIES["spies"].bots, 4),
}
"""By game and bot: in each which round it plays.  A game of these takes 1 to 6 s, of others 0.5 s at most."""


class Key(NamedTuple):
    """One game, from which the seed makes all."""

    game: str
    number: int
    """Of the round, from 0."""
    first: str
    second: str
    """The levels, by seat."""


def one_game(entry: GameEntry, pair: tuple[str, str], seed: str) -> float:
    """The score of the first of two levels, which has seat 0: 1, ½ or 0."""
    bots = [make_bot(entry.name, level, random.Random(f"{seed}/{seat}")) for seat, level in enumerate(pair)]
    rules = entry.rules.load()
    outcome = play(rules, bots, {}, random.Random(seed)).outcome
    return score(outcome.winners, {0})


def schedule(game: str, levels: Sequence[str], number: int) -> Iterator[Key]:
    """The games of a round."""
    every = EVERY.get(game, {})
    for level, other in combinations(levels, 2):
        if number % max(every.get(level, 1), every.get(other, 1)) == 0:
            yield from (Key(game, number, level, other), Key(game, number, other, level))


def rated(played: Mapping[Key, float]) -> dict[str, Rating]:
    """The ratings by level after all these games of one game; their order does not matter."""
    periods: defaultdict[int, list[Game]] = defaultdict(list)
    for key, result in sorted(played.items()):
        periods[key.number // PERIOD].append(Game(key.first, key.second, result))
    return {level: by_period[-1][1] for level, by_period in over_time(sorted(periods.items())).items()}


class Kept:
    """Games that were played, in files: one for each process that plays."""

    def __init__(self, folder: Path | None, seed: int, part: str) -> None:
        """`folder`: None: nothing is kept."""
        self.scores: dict[Key, float] = {}
        self._file = None
        if folder is None:
            return
        folder.mkdir(parents=True, exist_ok=True)
        of_these = f"{digest()}-{seed}-"
        for path in sorted(folder.glob(f"{of_these}*.jsonl")):
            for line in path.read_text(encoding="utf-8").splitlines():
                with suppress(ValueError):  # the run was stopped in the middle of this line
                    *key, result = json.loads(line)
                    self.scores[Key(*key)] = result
        self._file = folder / f"{of_these}{part.replace('/', 'of')}.jsonl"

    def add(self, key: Key, result: float) -> None:
        """One more game."""
        self.scores[key] = result
        if self._file is not None:
            with self._file.open("a", encoding="utf-8") as file:
                file.write(f"\n{json.dumps([*key, result])}")  # first the end of a line that was left torn


def digest() -> str:
    """Of the sources of all games and bots."""
    whole = hashlib.sha256()
    for path in sorted(SOURCES.rglob("*")):
        if path.suffix in (".py", ".json"):
            whole.update(f"{path.relative_to(SOURCES)}\0".encode() + path.read_bytes())
    return whole.hexdigest()[:12]


def play_missing(due: Iterable[Key], kept: Kept, seed: int) -> Iterator[tuple[str, float]]:
    """Play the games that are due and were not played: of each the game's name and its CPU seconds."""
    for key in due:
        if key not in kept.scores:
            begun = process_time()
            game, number, first, second = key
            result = one_game(ENTRIES[game], (first, second), f"{seed}/{number}/{first}/{second}")
            kept.add(key, result)
            yield game, process_time() - begun


def pairs(played: Mapping[Key, float], levels: Sequence[str]) -> Iterator[str]:
    """How each two fared, the best against all others first."""
    for level, other in combinations(levels, 2):
        scores = [
            result if key.first == level else 1 - result
            for key, result in played.items()
            if {key.first, key.second} == {level, other}
        ]
        if not scores:
            continue
        low, high = wilson(sum(scores), len(scores))
        share = sum(scores) / len(scores)
        yield f"  {level} against {other}: {share:.1%} of {len(scores)} games (95 %: {low:.1%} to {high:.1%})"


def written(ratings: Mapping[str, Mapping[str, Sequence[float]]]) -> str:
    """The ratings as JSON, a line for each bot."""
    games = []
    for game, by_level in ratings.items():
        rows = [f"  {json.dumps(level)}: {json.dumps(values)}" for level, values in by_level.items()]
        games.append(f"{json.dumps(game)}: {{\n" + ",\n".join(rows) + "\n}")
    return "{\n" + ",\n".join(games) + "\n}\n"


def table(ratings: Mapping[str, Mapping[str, Sequence[float]]]) -> str:
    """The end of the guide's page about opponents."""
    levels = [
        level for level in reversed(list(CHARACTERS)) if any(level in of_game for of_game in ratings.values())
    ]
    rows = [
        [ENTRIES[game].title, *(_told(by_level.get(level)) for level in levels)]
        for game, by_level in ratings.items()
    ]
    names = [_name(level).removeprefix("The ") for level in levels]
    lines = [["", *names], ["---"] * (len(names) + 1), *rows]
    waiting = [
        _name(level).replace("The ", "the ", 1)
        for game, by_level in ratings.items()
        for level in ENTRIES[game].bots
        if level not in by_level
    ]
    unrated = f" Without a rating yet, and so at the top: {listed(waiting)}." if waiting else ""
    text = (
        "`make ladder` plays every two opponents of a game against each other at a table of two, and rates "
        f"them. The program ships the result (with 95 % certainty).{unrated}"
    )
    return f"{HEADING}\n{fill(text, 120)}\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def _name(level: str) -> str:
    return CHARACTERS[level].name if level in CHARACTERS else level


def _told(values: Sequence[float] | None) -> str:
    return "" if values is None else f"{values[0]:.0f} ± {2 * values[1]:.0f}"


def ladder(game: str, ratings: Mapping[str, Sequence[float]]) -> Iterator[str]:
    """A game's bots, the best first, with their 95 % intervals and what each may expect against it."""
    yield f"{game}:"
    levels = sorted(ENTRIES[game].bots, key=lambda level: -ratings[level][0] if level in ratings else -inf)
    best = max((Rating(*values) for values in ratings.values()), default=Rating())
    for level in levels:
        if level in ratings:
            share = expected(Rating(*ratings[level]), best)
            yield f"  {level}: {_told(ratings[level])}, {share:.0%} against the best"
        else:
            yield f"  {level}: no rating yet"


def main(argv: list[str] | None = None) -> int:
    """Play, print and perhaps write."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.bots.ladder", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--game", choices=sorted(OWN), action="append", default=[])
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kept", type=Path, metavar="FOLDER")
    parser.add_argument("--part", type=_part, default="1/1", metavar="1/2")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--shipped", action="store_true")
    arguments = parser.parse_args(argv)
    shipped = strict_json.read(FILE.read_bytes())
    if arguments.shipped:
        for game, ratings in shipped.items():
            sys.stdout.write("\n".join([*ladder(game, ratings), ""]))
        return 0
    names = arguments.game or [name for name in ENTRIES if name in OWN]
    part, parts = map(int, arguments.part.split("/"))
    due = [  # round by round: wherever a run is stopped, as many rounds of all games are complete
        key
        for number in range(arguments.rounds)
        for name in names
        for key in schedule(name, [*ENTRIES[name].bots], number)
        if number % parts == part - 1
    ]
    kept = Kept(arguments.kept, arguments.seed, arguments.part)
    spent: defaultdict[str, list[float]] = defaultdict(list)
    for game, seconds in play_missing(due, kept, arguments.seed):
        spent[game].append(seconds)
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{sum(map(len, spent.values()))} games played, of at most {len(due)} ")
    for game, times in spent.items():
        sys.stdout.write(f"{game}: {len(times)} games played now, {sum(times) / len(times):.2f} CPU s each\n")
    if parts > 1:
        return 0
    for name in names:
        played = {key: kept.scores[key] for key in due if key.game == name}
        known = {level: [*map(_rounded, rating)] for level, rating in rated(played).items()}
        shipped[name] = {level: known[level] for level in ENTRIES[name].bots if level in known}
        lines = [f"{name}, {len(played)} games:", *pairs(played, [*ENTRIES[name].bots])]
        sys.stdout.write("\n".join([*lines, *ladder(name, shipped[name]), ""]))
    if arguments.write:
        FILE.write_text(written(shipped))
        page = GUIDE.read_text(encoding="utf-8")
        GUIDE.write_text(page[: page.index(HEADING)] + table(shipped), encoding="utf-8")
    return 0


def _part(typed: str) -> str:
    part, parts = map(int, typed.split("/"))
    if not 0 < part <= parts:
        raise ValueError(typed)
    return typed


def _rounded(value: float) -> float:
    return round(value, 3)


if __name__ == "__main__":
    sys.exit(main())
