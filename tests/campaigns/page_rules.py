"""Random games by the rules in Python, played again by those in JavaScript, which must agree in every detail.

`python -m tests.campaigns.page_rules --seed 1 --count 2000`: so many games of each game that a page can play,
with all kinds of options, by honest and by crooked players.  Every Ask and state is compared, also what may
be drawn, moves that are not offered, and options that there are not.  A difference is told with its seed.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random
from types import ModuleType
from typing import Final

from p2p_stratego.core.game import Outcome
from tests.campaigns.comparing import main
from tests.helpers.in_javascript import conquest, spies, spies_and_lies, stratego
from tests.helpers.in_javascript.script import Script, script_of, wanted_script
from tests.helpers.machine.node import ROOT

COMPARE: Final = ROOT / "tests/page/compare_rules.mjs"
GAMES: Final[Mapping[str, ModuleType]] = {
    module.TONGUE.game.name: module for module in (conquest, spies, spies_and_lies, stratego)
}
OTHERS: Final = {
    spies_and_lies.TONGUE.game.name: spies_and_lies.random_scenario,
    stratego.TONGUE.game.name: stratego.random_walk,
}
OPTIONS: Final = 5
"""Sets of options that are tried for each game."""
MOST_STEPS: Final = 700
"""Steps of one game, so that a game without an end stops."""


def random_script(game: str, seed: str, years: int) -> tuple[Script, Outcome | None]:
    """One random game of this name; of SPIES! so many years."""
    module, random = GAMES[game], Random(seed)
    if module is spies:  # cards that nobody may see yet: self-play's dealer holds them
        script, outcome = spies.random_script(random, years)
        return {**script, "label": seed}, outcome
    options = module.random_options(random)
    player = module.RandomPlayer(random)
    seats = random.choice(module.TONGUE.game.seat_counts)
    script, outcome = script_of(module.TONGUE, player, options, random, most=MOST_STEPS, seats=seats)
    return {**script, "label": seed}, outcome


def scripts(seed: int, count: int, met: Counter[str], years: int = 7) -> Iterator[Script]:
    """`count` games of each kind; `met` counts how they ended, `years` are those of SPIES!."""
    for number in range(count):
        for game in GAMES:
            script, outcome = random_script(game, f"{seed}/{game}/{number}", years)
            met[ending(game, outcome)] += 1
            yield script
            yield from other(game, f"{seed}/{game}/{number}/other", met)
            yield from wanted(game, f"{seed}/{game}/{number}/options")


def other(game: str, seed: str, met: Counter[str]) -> Iterator[Script]:
    """A game that begins or is told in another way, where the tests have one."""
    if game not in OTHERS:
        return
    script, outcome = OTHERS[game](Random(seed))
    met[ending(game, outcome)] += 1
    yield {**script, "label": seed}


def ending(game: str, outcome: Outcome | None) -> str:
    """How a game ended, in words."""
    if outcome is None:
        return f"{game}: stopped"
    return f"{game}: {outcome.reason}" + (f" ({outcome.breach.rule})" if outcome.breach else "")


def wanted(game: str, seed: str) -> Iterator[Script]:
    """Options that somebody might want, most of them not offered."""
    module, random = GAMES[game], Random(seed)
    for _ in range(OPTIONS):
        yield {**wanted_script(module.TONGUE, module.wild_options(random)), "label": seed}


def recorded_and_random(seed: int, count: int, met: Counter[str]) -> Iterator[Script]:
    """Stratego's recorded games, and `count` random ones of each kind."""
    yield from stratego.recorded_games()
    yield from scripts(seed, count, met)


if __name__ == "__main__":
    sys.exit(main("Python's rules against those of the page", COMPARE, recorded_and_random, 2000))
