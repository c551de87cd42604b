"""`python -m benchmarks.bots.puzzles`: puzzles out of games of strong bots, solved by counting, and rated.

    python -m benchmarks.bots.puzzles [--count 300] [--seed 1] [--kept FOLDER]
    python -m benchmarks.bots.puzzles --check

Game after game is played by the rules alone; a position of it becomes a puzzle if one answer is clearly the
best (`GameEntry.puzzles`).  All that is found is kept, with the number of its game, so that a stopped run
goes on.  The collection has as many of each kind.  Bots whose strength is known try each puzzle, and their
scores rate it by Glicko-2.  --check solves every shipped puzzle anew.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any, Final

from cli.studies.puzzles.collection import FILE, Puzzle, collection
from cli.studies.statistics.glicko import Played, Rating, rated
from cli.studies.statistics.ladder import shipped
from p2p_stratego.core.entry import GameEntry
from p2p_stratego.core.game import Choose, Face, Move, Options
from p2p_stratego.core.puzzle import Puzzles
from p2p_stratego.core.self_play import play
from p2p_stratego.core.view import Bot, View
from p2p_stratego.registry import ENTRIES, make_bot

PLAYERS: Final = ("agent", "quartermaster", "diplomat")
"""The levels that play: the strongest of those that decide within milliseconds."""
SOLVERS: Final = ("recruit", "cadet", "gambler", "agent")
TRIES: Final = 6
"""So often each of SOLVERS tries a puzzle."""
A_GAME: Final = 3
"""Puzzles that are taken of one game."""
MOST_GAMES: Final = 4000
KINDS: Final[Mapping[str, Sequence[str]]] = {
    "spies-and-lies": ("sure", "dearest", "likeliest"),
    "stratego": ("threat", "rescue", "capture", "gamble"),
}
"""By game: the kinds of its solutions, the rarest first."""
VARIANTS: Final[Mapping[str, Sequence[Options]]] = {
    "spies-and-lies": ({},),
    "stratego": ({}, {"army": "duel"}, {"army": "barrage"}, {"army": "classic"}),
}
ROOT: Final = Path(__file__).parents[2]


class Watched:
    """A bot whose views are kept."""

    def __init__(self, bot: Bot[Any], views: list[View[Any]]) -> None:
        self._bot, self._views = bot, views

    def decide(self, view: View[Any]) -> Move | tuple[Face, ...]:
        """As the bot does."""
        if isinstance(view.decision, Choose):
            self._views.append(View(view.seat, view.state, dict(view.known), view.decision, view.since))
        return self._bot.decide(view)


def game_views(entry: GameEntry, seed: str, options: Options) -> list[View[Any]]:
    """All views of one game of two strong bots at which a move was asked for."""
    chance, views = random.Random(seed), list[View[Any]]()
    levels = [chance.choice(PLAYERS) for _seat in range(2)]
    bots = [
        Watched(make_bot(entry.name, level, random.Random(f"{seed}/{seat}")), views)
        for seat, level in enumerate(levels)
    ]
    play(entry.rules.load(), bots, options, chance)
    return views


def candidates(entry: GameEntry, puzzles: Puzzles, seed: str, options: Options) -> Iterator[dict[str, Any]]:
    """Puzzles out of one game, of different kinds, those of the rarest kinds first."""
    clear: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for view in game_views(entry, seed, options):
        for theme in puzzles.themes(view):
            position = puzzles.write(view)
            solution = puzzles.solve(puzzles.read(position), theme)  # as the player of the puzzle sees it
            if solution.clear:
                clear[solution.kind].append(
                    {
                        "game": entry.name,
                        "kind": solution.kind,
                        "theme": theme,
                        "move": solution.move,
                        "position": position,
                    }
                )
    chance = random.Random(f"{seed} taken")
    rarest = sorted(clear, key=KINDS[entry.name].index)
    yield from (chance.choice(clear[kind]) for kind in rarest[:A_GAME])


def rating(entry: GameEntry, puzzles: Puzzles, item: Mapping[str, Any]) -> Rating:
    """The strength that the puzzle showed against bots whose strength is known."""
    view, games = puzzles.read(item["position"]), list[Played]()
    for level in SOLVERS:
        for nth in range(TRIES):
            bot = make_bot(entry.name, level, random.Random(f"{level} {nth}"))
            games.append(Played(shipped(entry.name)[level], float(bot.decide(view) != item["move"])))
    return rated(Rating(), games)


def gathered(entry: GameEntry, wanted: int, seed: int, kept: Path) -> list[dict[str, Any]]:
    """Candidates until each kind has `wanted` of them; those of earlier runs are read from `kept`."""
    assert entry.puzzles is not None
    puzzles, items, first = entry.puzzles.load(), list[dict[str, Any]](), 0
    path = kept / f"{entry.name}-{seed}.jsonl"
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        with suppress(ValueError):  # the run was stopped in the middle of this line
            made = json.loads(line)
            first = made["nth"] + 1
            items += made["items"]
    with path.open("a", encoding="utf-8") as file:
        for nth in range(first, MOST_GAMES):
            kinds = Counter(item["kind"] for item in items)
            if all(kinds[kind] >= wanted for kind in KINDS[entry.name]):
                break
            variants = VARIANTS[entry.name]
            made = [*candidates(entry, puzzles, f"{seed} {nth}", variants[nth % len(variants)])]
            items += made
            file.write(f"\n{json.dumps({'nth': nth, 'items': made})}")
            file.flush()
            if nth % 20 == 0:
                print(entry.name, nth, dict(kinds), file=sys.stderr)
    return items


def chosen(entry: GameEntry, items: Sequence[dict[str, Any]], number: int) -> Iterator[Puzzle]:
    """The first `number` puzzles of each kind, rated, no position twice."""
    assert entry.puzzles is not None
    by_kind: defaultdict[str, dict[str, dict[str, Any]]] = defaultdict(dict)
    for item in items:
        by_kind[item["kind"]].setdefault(json.dumps(item["position"]), item)
    for kind in KINDS[entry.name]:
        for item in islice(by_kind[kind].values(), number):
            strength = round(rating(entry, entry.puzzles.load(), item).rating)
            yield Puzzle(0, item["game"], strength, item["theme"], item["move"], item["position"])


def write(puzzles: Sequence[Puzzle]) -> str:
    """The file: a puzzle a line, the easiest first."""
    order = sorted(puzzles, key=lambda puzzle: (puzzle.rating, puzzle.game, puzzle.move))
    lines = [json.dumps(puzzle.plain(), separators=(",", ":")) for puzzle in order]
    return "[\n" + ",\n".join(lines) + "\n]\n"


def check() -> int:
    """Solve every shipped puzzle anew; the number of those whose solution is not clear, or another one."""
    wrong = 0
    for puzzle in collection():
        solution = puzzle.solved()
        if not solution.clear or solution.move != puzzle.move:
            print(f"puzzle {puzzle.number}: {solution}", file=sys.stderr)
            wrong += 1
    print(f"{len(collection())} puzzles solved anew, {wrong} wrong")
    return wrong


def main() -> int:
    """Find, choose, rate and write; or check."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bots.puzzles")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kept", type=Path, default=ROOT / ".venv" / "puzzles")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    if arguments.check:
        return min(check(), 1)
    arguments.kept.mkdir(parents=True, exist_ok=True)
    puzzles: list[Puzzle] = []
    for game, kinds in KINDS.items():
        number = arguments.count // len(KINDS) // len(kinds)
        items = gathered(ENTRIES[game], number, arguments.seed, arguments.kept)
        puzzles += chosen(ENTRIES[game], items, number)
    FILE.write_text(write(puzzles), encoding="utf-8")
    print(f"{FILE.name}: {len(puzzles)} puzzles, {FILE.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
