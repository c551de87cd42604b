"""`python -m benchmarks.bots.apart`: whether each opponent of a game can be told from the others by its play.

    python -m benchmarks.bots.apart [--games 45] [--evening 3] [--seed 1] [--game stratego]

A reader hears what the table tells everybody, and nothing else: of two thirds of each opponent's games
against the agent it learns which words and pairs of words are told of that seat, and names the opponent of
evenings of three games each, drawn from the last third.  The reader is a multinomial naive Bayes classifier
with additive smoothing (McCallum and Nigam, "A comparison of event models for naive Bayes text
classification", 1998): it counts words, and knows nothing of the game.  Printed beside each share: as whom
else the opponent was named.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import log
from typing import Final, TypeAlias

from p2p_stratego.core.self_play import play
from p2p_stratego.registry import ENTRIES, OWN, make_bot

Words: TypeAlias = Counter[tuple[str, ...]]
"""By word or pair of words: in how many clauses it is told."""
SMOOTHING: Final = 0.5
EVENINGS: Final = 60
HERO, OTHER = "Xavia", "Ygor"
"""Names that are no words of any game."""
_SLOW: Final = {"spies-and-lies": {"equilibrium", "adaptive"}, "spies": {"spymaster"}}
"""By game: opponents that think for seconds, and sit out."""
_WORD: Final = re.compile(r"[A-Za-z]{2,}|\d+")


def heard(game: str, level: str, seed: str) -> Words:
    """What the table tells of the seat of `level` in one game."""
    entry = ENTRIES[game]
    levels = (level, "agent")
    bots = [make_bot(game, name, random.Random(f"{seed}/{seat}")) for seat, name in enumerate(levels)]
    states = play(entry.rules.load(), bots, {}, random.Random(seed)).states
    narration, words = entry.narration.load(), Words()
    for before, after in pairwise(states):
        for sentence in narration.step(before, after, (HERO, OTHER)):
            for clause in re.split(r"[.;] ", sentence):
                if HERO in clause:
                    row = _WORD.findall(clause)
                    words.update({*((word,) for word in row), *pairwise(row)})
    return words


def learned(games: Mapping[str, Sequence[Words]]) -> dict[str, dict[tuple[str, ...], float]]:
    """By level: the logarithm of the share of each word that was ever told."""
    sums = {level: sum(of_level, Words()) for level, of_level in games.items()}
    vocabulary = set().union(*sums.values())
    shares = {}
    for level, words in sums.items():
        whole = words.total() + SMOOTHING * len(vocabulary)
        shares[level] = {word: log((words[word] + SMOOTHING) / whole) for word in vocabulary}
    return shares


def named(shares: Mapping[str, Mapping[tuple[str, ...], float]], evening: Sequence[Words]) -> str:
    """The level that these games fit best."""
    words = sum(evening, Words())
    return max(shares, key=lambda level: sum(n * shares[level].get(word, 0.0) for word, n in words.items()))


def confusion(game: str, count: int, length: int, seed: int) -> dict[str, Counter[str]]:
    """By level: as which levels its evenings were named."""
    levels = [level for level in ENTRIES[game].bots if level not in _SLOW.get(game, set())]
    games = {level: [heard(game, level, f"{seed}/{level}/{k}") for k in range(count)] for level in levels}
    known = count * 2 // 3
    shares = learned({level: of_level[:known] for level, of_level in games.items()})
    chance = random.Random(seed)
    return {
        level: Counter(named(shares, chance.sample(of_level[known:], length)) for _ in range(EVENINGS))
        for level, of_level in games.items()
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Print each opponent's share of evenings with its right name."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=45, help="of each opponent")
    parser.add_argument("--evening", type=int, default=3, help="games that the reader hears before it names")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", choices=list(OWN), action="append", help="default: all")
    options = parser.parse_args(arguments)
    for game in options.game or OWN:
        print(f"{game}: evenings of {options.evening} games with their right name, of {EVENINGS}")
        for level, names in confusion(game, options.games, options.evening, options.seed).items():
            wrong = ", ".join(f"{name} {n}" for name, n in names.most_common() if name != level)
            print(f"  {level:14} {names[level] / EVENINGS:5.0%}   {wrong}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
