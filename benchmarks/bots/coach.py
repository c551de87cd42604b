"""`python -m benchmarks.bots.coach`: what the coach of each game says, and how often it repeats itself.

    python -m benchmarks.bots.coach [--games 4] [--seed 1] [--game stratego] [--show]

The coach sits beside one agent against agents.  Counted: the moments at which something is asked of its seat,
those at which it speaks, the sentences that are the one before once more, and those that tell a general rule.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

from p2p_stratego.core.game import Face, Move
from p2p_stratego.core.lesson import Advice, Memory, Remark
from p2p_stratego.core.self_play import play
from p2p_stratego.core.view import Bot, View
from p2p_stratego.registry import ENTRIES, OWN, make_bot

REPEATS, RULES = 0.10, 0.25
"""At most these shares of the sentences may repeat the last one, and tell a general rule."""
_SEATS: Final = {"spies": 3, "conquest": 3}
"""Seats at the table; two elsewhere."""


class Coached:
    """A bot beside which a coach speaks."""

    def __init__(self, bot: Bot[Any], advice: Advice) -> None:
        self._bot, self._advice, self._memory = bot, advice, Memory()
        self.spoken: list[Remark | None] = []
        """By moment; None where the coach was silent."""

    def decide(self, view: View[Any]) -> Move | tuple[Face, ...]:
        """The answer of the bot, after a word of the coach."""
        remark = self._memory.pick(self._advice(view))
        self._memory = self._memory.after(remark)
        self.spoken.append(remark)
        return self._bot.decide(view)


def coached(game: str, seed: str) -> list[Remark | None]:
    """What is said in one game."""
    entry = ENTRIES[game]
    if entry.advice is None:
        raise ValueError(f"{game} has no coach")
    seats = _SEATS.get(game, 2)
    bots: list[Bot[Any]] = [make_bot(game, "agent", random.Random(f"{seed}/{seat}")) for seat in range(seats)]
    beside = Coached(bots[0], entry.advice.load())
    play(entry.rules.load(), [beside, *bots[1:]], {}, random.Random(seed))
    return beside.spoken


def shares(games: Sequence[Sequence[Remark | None]]) -> tuple[float, float]:
    """The shares of all sentences that repeat the one before, and that tell a rule."""
    sentences = [[remark for remark in spoken if remark is not None] for spoken in games]
    repeats = sum(before.text == after.text for game in sentences for before, after in pairwise(game))
    rules = sum(bool(remark.rule) for game in sentences for remark in game)
    count = max(sum(map(len, sentences)), 1)
    return repeats / count, rules / count


def measured(game: str, count: int, seed: int) -> str:
    """A line on a game."""
    games = [coached(game, f"{seed}/{number}") for number in range(count)]
    moments = sum(map(len, games))
    sentences = sum(remark is not None for spoken in games for remark in spoken)
    repeats, rules = shares(games)
    met = "met" if repeats <= REPEATS and rules <= RULES else "missed"
    return (
        f"{game}: {sentences} sentences at {moments} moments of {count} games; "
        f"{repeats:.0%} repeat the last one, {rules:.0%} tell a rule: {met}"
    )


def main() -> int:
    """Print a line a game; 1 if a game misses its shares."""
    names = [name for name in ENTRIES if name in OWN and ENTRIES[name].advice is not None]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bots.coach")
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", choices=names)
    parser.add_argument("--show", action="store_true")
    arguments = parser.parse_args()
    lines = []
    for name in [arguments.game] if arguments.game else names:
        if arguments.show:
            for remark in coached(name, f"{arguments.seed}/0"):
                print("-" if remark is None else f"{'rule: ' * bool(remark.rule)}{remark.text}")
        lines.append(measured(name, arguments.games, arguments.seed))
        print(lines[-1], flush=True)
    return int(any(line.endswith("missed") for line in lines))


if __name__ == "__main__":
    sys.exit(main())
